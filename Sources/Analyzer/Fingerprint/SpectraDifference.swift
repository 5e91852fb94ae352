internal import Foundation

/// How much the spectra of two recordings differ at one alignment, apart from a constant gain.
///
/// Fingerprints hear only which notes sound: a remix with the same chords, or the same notes played by another instrument, has
/// nearly the same one. Spectra of thirty frames a second show each onset and overtone. Two encodings differ by fractions of a
/// decibel where the sound is loud, other recordings by several.
public struct SpectraDifference: Sendable, Equatable {
    /// Mean over all frames, in dB.
    public var mean: Double
    /// The 98th percentile of the frames, in dB.
    public var high: Double
    /// The largest 98th percentile of the frames in an eighth of the bands, in dB: a beat that is added softly changes a few bands of
    /// a few frames, by much.
    public var highest: Double
    /// How much more of the difference has one sign: the largest difference between the 98th percentiles of the frames where the
    /// first recording is louder and where it is quieter, in an eighth of the bands, in dB. Encoders err in both directions; what is
    /// mixed into a recording is only added.
    public var oneSided: Double

    /// Bands above this frequency differ between encodings.
    private static let highestHz = 4000.0
    /// Most frames that are compared: two minutes.
    private static let mostFrames = 3600
    /// Groups of neighbouring bands, and the least share of the frames in which one must sound to count.
    private static let (groupCount, leastShare) = (8, 0.1)
    /// Cells more than this below the loudest of their frame, or below -60 dBFS, do not count, in dB.
    private static let range = 30.0
    /// Below this frequency in Hz, cells more than ``lowRange`` dB below the loudest there do not count either: louder ones so near cover
    /// them, and encoders store them coarsely.
    private static let (lowHz, lowRange) = (200.0, 20.0)

    /// Compares two recordings.
    /// - Parameter offset: seconds by which the first recording starts before the second; the best alignment within ± 0.13 s
    ///   of it counts.
    /// - Returns: nil if they have no sound in common or different forms.
    public static func between(
        _ first: VisualizerSpectra, _ second: VisualizerSpectra, offset: Double
    ) -> SpectraDifference? {
        guard first.bandCount == second.bandCount, first.framesPerSecond == second.framesPerSecond,
            first.bandCount > 0
        else { return nil }
        let middle = Int((offset * Double(first.framesPerSecond)).rounded())
        return (middle - 4...middle + 4).compactMap { shift in
            aligned(first, second, max(0, shift), max(0, -shift))
        }.min { $0.mean < $1.mean }
    }

    /// Compares from a frame of each on.
    private static func aligned(
        _ first: VisualizerSpectra, _ second: VisualizerSpectra, _ start: Int, _ otherStart: Int
    ) -> SpectraDifference? {
        let count = min(first.frameCount - start, second.frameCount - otherStart, mostFrames)
        guard count > 2 else { return nil }
        let layout = BandLayout(bandCount: first.bandCount)
        let bands = layout.band(atHz: highestHz) ?? first.bandCount
        let lowBands = layout.band(atHz: lowHz) ?? 0
        let width = first.bandCount
        func row(_ spectra: VisualizerSpectra, _ frame: Int) -> ArraySlice<UInt8> {
            spectra.levels[frame * width..<frame * width + bands]
        }
        let gain = medianGain(first, second, start, otherStart, count, bands)
        var frames: [Double] = []
        frames.reserveCapacity(count)
        var groups = [Group](repeating: Group(), count: groupCount)
        for frame in 1..<count - 1 {
            let mine = row(first, start + frame)
            // A shift by less than a frame puts a level between those of neighbours.
            let (before, here, after) = (
                row(second, otherStart + frame - 1), row(second, otherStart + frame),
                row(second, otherStart + frame + 1)
            )
            let sums = differences(
                Array(mine), Array(before), Array(here), Array(after), gain, lowBands: lowBands)
            let total = sums.reduce(into: Sum()) { $0 += $1 }
            if let mean = total.mean { frames.append(mean) }
            for (group, sum) in sums.enumerated() { groups[group].add(sum) }
        }
        guard !frames.isEmpty else { return nil }
        let high = high(&frames)
        let least = leastShare * Double(count)
        var (highest, oneSided) = (0.0, 0.0)
        for index in groups.indices where Double(groups[index].all.count) >= least {
            highest = max(highest, Self.high(&groups[index].all))
            oneSided = max(
                oneSided, abs(Self.high(&groups[index].louder) - Self.high(&groups[index].quieter)))
        }
        return SpectraDifference(
            mean: frames.reduce(0, +) / Double(frames.count), high: high, highest: max(highest, high),
            oneSided: oneSided)
    }

    /// Differences of some bands by frame.
    private struct Group {
        var all: [Double] = []
        var louder: [Double] = []
        var quieter: [Double] = []

        mutating func add(_ sum: Sum) {
            guard let mean = sum.mean else { return }
            all.append(mean)
            louder.append(sum.louder / Double(sum.count))
            quieter.append(sum.quieter / Double(sum.count))
        }
    }

    /// Sorts differences, of which there must be some, and returns the 98th percentile.
    private static func high(_ values: inout [Double]) -> Double {
        values.sort()
        return values[(values.count - 1) * 98 / 100]
    }

    /// Differences of some bands.
    private struct Sum {
        /// By how much the first recording is louder, and by how much it is quieter.
        var louder = 0.0
        var quieter = 0.0
        var count = 0

        var mean: Double? { count == 0 ? nil : (louder + quieter) / Double(count) }

        static func += (left: inout Sum, right: Sum) {
            left.louder += right.louder
            left.quieter += right.quieter
            left.count += right.count
        }
    }

    /// Returns how much a frame lies outside of what another recording has around it, in dB, for each group of bands; bands that are
    /// too quiet do not count.
    private static func differences(
        _ mine: [UInt8], _ before: [UInt8], _ here: [UInt8], _ after: [UInt8], _ gain: Double,
        lowBands: Int
    ) -> [Sum] {
        let tops = mine.indices.map { max(Double(mine[$0]), Double(here[$0]) + gain) }
        let floor = max((tops.max() ?? 0) - range / step, 30 / step)
        let lowFloor = max((tops.prefix(lowBands).max() ?? 0) - lowRange / step, floor)
        var sums = [Sum](repeating: Sum(), count: groupCount)
        for band in mine.indices where tops[band] > (band < lowBands ? lowFloor : floor) {
            let low = Double(min(before[band], here[band], after[band])) + gain
            let high = Double(max(before[band], here[band], after[band])) + gain
            let level = Double(mine[band])
            sums[band * groupCount / mine.count] += Sum(
                louder: max(0, level - high) * step, quieter: max(0, low - level) * step, count: 1)
        }
        return sums
    }

    /// Decibels per step of a level.
    private static let step = -VisualizerSpectra.floorDB / 255

    /// Returns the median difference of the levels above -40 dBFS, in steps; 0 without such levels.
    private static func medianGain(
        _ first: VisualizerSpectra, _ second: VisualizerSpectra, _ start: Int, _ otherStart: Int,
        _ count: Int, _ bands: Int
    ) -> Double {
        var counts = [Int](repeating: 0, count: 511)
        let loud = UInt8(50 / step)
        for frame in 0..<count {
            let mine = (start + frame) * first.bandCount
            let other = (otherStart + frame) * first.bandCount
            for band in 0..<bands {
                let (a, b) = (first.levels[mine + band], second.levels[other + band])
                if max(a, b) > loud { counts[Int(a) - Int(b) + 255] += 1 }
            }
        }
        let half = counts.reduce(0, +) / 2
        guard half > 0 else { return 0 }
        var sum = 0
        for (index, number) in counts.enumerated() {
            sum += number
            if sum > half { return Double(index - 255) }
        }
        return 0
    }
}
