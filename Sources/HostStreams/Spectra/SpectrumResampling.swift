internal import LibraryStore

/// Converts stored spectrum frames to fewer bands or another rate.
///
/// A stored band holds its strongest component, and so does a band of the result: it is the maximum of the
/// stored bands whose centres lie in it, so a tone appears in one band at its own level. Similarly in time:
/// at a lower rate, each band of a frame is the maximum of the stored frames nearest to its time, so no drum
/// hit is lost; at a higher rate, levels are interpolated linearly in dB between the two neighbours. Frame k
/// is at time k / rate.
struct SpectrumResampling {
    let stored: SpectrumDescription
    /// Frames per second.
    let rate: Int
    /// Bands per frame; at most the stored number.
    let bandCount: Int

    init(_ stored: SpectrumDescription, rate: Int?, bandCount: Int?) {
        self.stored = stored
        self.rate = rate ?? stored.framesPerSecond
        self.bandCount = min(bandCount ?? stored.bandCount, stored.bandCount)
    }

    /// Number of frames of the whole track: those that start before its stored frames end.
    var frameCount: Int {
        (stored.frameCount * rate + stored.framesPerSecond - 1) / stored.framesPerSecond
    }

    /// Returns the stored frames needed to compute some frames.
    func sources(of frames: Range<Int>) -> Range<Int> {
        guard let first = frames.first, let last = frames.last else { return 0..<0 }
        return sources(of: first).lowerBound..<sources(of: last).upperBound
    }

    /// Computes frames.
    /// - Parameter levels: All stored frames in ``sources(of:)``.
    func levels(of frames: Range<Int>, from levels: [UInt8]) -> [UInt8] {
        guard rate != stored.framesPerSecond || bandCount != stored.bandCount else { return levels }
        let first = sources(of: frames).lowerBound
        let folded = foldingBands(levels)
        var result: [UInt8] = []
        result.reserveCapacity(frames.count * bandCount)
        for frame in frames {
            let rows = sources(of: frame)
            let start = (rows.lowerBound - first) * bandCount
            let end = (rows.upperBound - 1 - first) * bandCount
            if rate > stored.framesPerSecond {
                // Position between the two neighbours, in units of 1 / `rate`.
                let way = frame * stored.framesPerSecond % rate
                for band in 0..<bandCount {
                    let sum = Int(folded[start + band]) * (rate - way) + Int(folded[end + band]) * way
                    result.append(UInt8((sum + rate / 2) / rate))
                }
            } else {
                for band in 0..<bandCount {
                    var largest = folded[start + band]
                    for row in stride(from: start + bandCount, through: end, by: bandCount) {
                        largest = max(largest, folded[row + band])
                    }
                    result.append(largest)
                }
            }
        }
        return result
    }

    /// Returns the stored frames that one frame is computed from; never empty.
    private func sources(of frame: Int) -> Range<Int> {
        let position = frame * stored.framesPerSecond
        let before = min(position / rate, stored.frameCount - 1)
        if rate > stored.framesPerSecond { return before..<min(before + 2, stored.frameCount) }
        // From half a frame before (inclusive) to half a frame after (exclusive): ceil((2k ± 1) · stored / 2 · rate).
        let half = stored.framesPerSecond
        let first = max(0, (2 * position - half + 2 * rate - 1) / (2 * rate))
        let end = min(stored.frameCount, (2 * position + half + 2 * rate - 1) / (2 * rate))
        return first < end ? first..<end : before..<before + 1
    }

    private func foldingBands(_ levels: [UInt8]) -> [UInt8] {
        let count = stored.bandCount
        guard bandCount != count else { return levels }
        // The target band that contains the centre, band + 1/2, of each stored band.
        let targets = (0..<count).map { (2 * $0 + 1) * bandCount / (2 * count) }
        var folded = [UInt8](repeating: 0, count: levels.count / count * bandCount)
        for row in 0..<levels.count / count {
            for (band, target) in targets.enumerated() {
                let place = row * bandCount + target
                folded[place] = max(folded[place], levels[row * count + band])
            }
        }
        return folded
    }
}
