import Analyzer
import CommandLineProgram
import Foundation
import MusicShared

/// The sound of a planned transition: the end of one track, the overlap, and the beginning of the next.
struct MixSound {
    /// Seconds that are heard before and after the overlap.
    private static let surroundings = 15.0

    private let sampleRate: Int
    private let samples: [Float]

    /// Decodes both files and renders the transition.
    /// - Parameter files: the paths of the outgoing and the incoming track.
    init(_ plan: CrossfadePlan, _ tracks: [(file: [UInt8], sampleRate: Int)]) throws {
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
        _ path: [UInt8], _ seconds: Range<Double>, from fileRate: Int, to rate: Int
    ) throws -> MixRenderer.Excerpt {
        let first = Int(max(0, seconds.lowerBound) * Double(fileRate))
        let end = Int(seconds.upperBound * Double(fileRate))
        let part = StereoPart(first..<max(first, end))
        try DecodedFile.decode(try MappedFile(path: path), part.take)
        var samples: [Float] = []
        let channels = (left: part.left, right: part.right)
        if fileRate == rate {
            for (left, right) in zip(channels.left, channels.right) { samples += [left, right] }
        } else {
            let converter = try RateConverter(from: fileRate, to: rate, channelCount: 2)
            channels.left.withUnsafeBufferPointer { left in
                channels.right.withUnsafeBufferPointer { right in
                    converter.consume([left, right]) { samples += $0 }
                }
            }
            converter.finish { samples += $0 }
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

/// Collects a range of a file's samples; those of one channel stand for both.
private final class StereoPart {
    private let range: Range<Int>
    private var position = 0
    private(set) var left: [Float] = []
    private(set) var right: [Float] = []

    init(_ range: Range<Int>) { self.range = range }

    func take(_ channels: [UnsafeBufferPointer<Float>]) {
        guard let first = channels.first, let last = channels.last else { return }
        let wanted = range.clamped(to: position..<position + first.count)
        let part = wanted.lowerBound - position..<wanted.upperBound - position
        left += first[part]
        right += last[part]
        position += first.count
    }
}
