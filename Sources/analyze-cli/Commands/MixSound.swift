import Analyzer
import CommandLineProgram
import Foundation
import MusicShared

/// The sound of a planned transition: the end of one track, the overlap, and the beginning of the next.
struct MixSound {
    /// Seconds that are heard before and after the overlap.
    private static let surroundings = 15.0

    private let plan: CrossfadePlan
    private let sampleRate: Int
    private let samples: [Float]

    /// Decodes both files and renders the transition.
    /// - Parameter files: the paths of the outgoing and the incoming track.
    init(_ plan: CrossfadePlan, _ tracks: [(file: String, sampleRate: Int)]) throws {
        self.plan = plan
        sampleRate = tracks[0].sampleRate
        let lead = min(Self.surroundings, plan.startSeconds)
        let outgoing = try Self.excerpt(
            tracks[0].file, plan.startSeconds - lead..<plan.startSeconds + plan.overlapSeconds + 1,
            from: tracks[0].sampleRate, to: sampleRate)
        // A stretched track is read faster or slower, and around each place.
        let end = plan.cueInSeconds + 1.1 * (plan.overlapSeconds + Self.surroundings) + 1
        let incoming = try Self.excerpt(
            tracks[1].file, max(0, plan.cueInSeconds - 1)..<end, from: tracks[1].sampleRate, to: sampleRate)
        samples = MixRenderer(plan: plan, sampleRate: sampleRate, channelCount: 2).render(
            outgoing: outgoing, incoming: incoming, leadSeconds: lead, tailSeconds: Self.surroundings)
    }

    /// Decodes a part of a file to stereo.
    private static func excerpt(
        _ path: String, _ seconds: Range<Double>, from fileRate: Int, to rate: Int
    ) throws -> MixRenderer.Excerpt {
        let first = Int(max(0, seconds.lowerBound) * Double(fileRate))
        let end = Int(seconds.upperBound * Double(fileRate))
        let part = StereoPart(first..<max(first, end))
        try DecodedFile.decode(try MappedFile(path: Array(path.utf8)), part.take)
        var samples = part.samples
        if fileRate != rate {
            let converter = try RateConverter(from: fileRate, to: rate, channelCount: 2)
            var converted: [Float] = []
            let sides = (0..<2).map { side in stride(from: side, to: samples.count, by: 2).map { samples[$0] }
            }
            sides[0].withUnsafeBufferPointer { left in
                sides[1].withUnsafeBufferPointer { right in
                    converter.consume([left, right]) { converted += $0 }
                }
            }
            converter.finish { converted += $0 }
            samples = converted
        }
        return MixRenderer.Excerpt(startSeconds: Double(first) / Double(fileRate), samples: samples)
    }

    /// Writes the sound as a WAV file of 32-bit floating-point samples (format tag 3).
    func write(to path: String) throws {
        var bytes = Data()
        func put(_ text: String) { bytes.append(contentsOf: text.utf8) }
        func put(_ number: Int, _ count: Int) {
            for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
        }
        let size = samples.count * 4
        put("RIFF")
        put(36 + size, 4)
        put("WAVEfmt ")
        for (number, count) in [
            (16, 4), (3, 2), (2, 2), (sampleRate, 4), (sampleRate * 8, 4), (8, 2), (32, 2),
        ] {
            put(number, count)
        }
        put("data")
        put(size, 4)
        samples.withUnsafeBytes { bytes.append(contentsOf: $0) }
        do {
            try bytes.write(to: URL(filePath: path))
        } catch {
            throw UsageError(
                message: "cannot write \(Terminal.harmless(path)): \(error.localizedDescription)")
        }
    }
}

/// Collects a range of a file's samples as interleaved stereo.
private final class StereoPart {
    private let range: Range<Int>
    private var position = 0
    private(set) var samples: [Float] = []

    init(_ range: Range<Int>) { self.range = range }

    func take(_ channels: [UnsafeBufferPointer<Float>]) {
        guard let left = channels.first, let right = channels.last else { return }
        let wanted = range.clamped(to: position..<position + left.count)
        for index in wanted {
            samples.append(left[index - position])
            samples.append(right[index - position])
        }
        position += left.count
    }
}
