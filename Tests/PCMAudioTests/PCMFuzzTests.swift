internal import AudioFrames
import Foundation
import TestSupport
import Testing

@testable import PCMAudio

/// Checks that scans of damaged files finish without a trap and with valid results.
///
/// Mutation *n* depends only on *n*. `FUZZ_MUTATIONS` sets how many are tried, `FUZZ_FIRST` the first.
@Suite("Damaged WAV and AIFF files")
struct PCMFuzzTests {
    private static func setting(_ name: String, default value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? value
    }

    /// The words of headers, which mutations write anywhere.
    private static let words = [
        "RIFF", "RF64", "WAVE", "fmt ", "data", "ds64", "FORM", "AIFF", "AIFC", "COMM", "SSND", "sowt",
    ]

    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard bytes.count > 4 else { return }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        // Most of what matters is in the headers.
        let early = Int.random(in: 0..<min(bytes.count, 120), using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[early] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.removeLast(bytes.count - max(1, place))
        case 3: bytes.remove(at: early)
        case 4:
            let word = Array(words[Int.random(in: 0..<words.count, using: &random)].utf8)
            for (index, byte) in word.enumerated() where early + index < bytes.count {
                bytes[early + index] = byte
            }
        default:
            for index in early..<min(bytes.count, early + 4) {
                bytes[index] = [0, 0xFF, 0x7F, 0x80][index % 4]
            }
        }
    }

    @Test("Scans of damaged files keep their promises")
    func scans() throws {
        let originals = try [
            PCMFile.make(["-c:a", "pcm_s16le"], "wav"),
            PCMFile.make(["-c:a", "pcm_f64le", "-rf64", "always"], "wav"),
            PCMFile.make(["-c:a", "pcm_s24be"], "aiff"), PCMFile.make(["-c:a", "pcm_s16le"], "aiff"),
        ]
        let first = Self.setting("FUZZ_FIRST", default: 0)
        let count = Self.setting("FUZZ_MUTATIONS", default: 20_000)
        var accepted = 0
        for n in first..<first + count {
            var random = SeededGenerator(seed: UInt64(n))
            var bytes = originals[Int.random(in: 0..<originals.count, using: &random)]
            for _ in 0..<Int.random(in: 1...5, using: &random) { Self.damage(&bytes, &random) }
            do {
                let stream = try PCMAudioStream.scan(bytes.span.bytes)
                accepted += 1
                guard stream.payload.upperBound <= bytes.count, stream.sampleCount > 0,
                    stream.payload.count == stream.sampleCount * stream.format.frameSize,
                    1...8 ~= stream.format.channelCount, stream.format.sampleRate > 0
                else {
                    Issue.record("mutation \(n): \(stream)")
                    return
                }
                let frames = min(stream.sampleCount, 200)
                let samples = PCMFile.samples(bytes, stream, frameCount: frames)
                guard samples.allSatisfy({ $0.count == frames && $0.allSatisfy { abs($0) <= 64 } }) else {
                    Issue.record("mutation \(n): samples out of range")
                    return
                }
            } catch {
                guard !error.message.isEmpty else {
                    Issue.record("mutation \(n): no message")
                    return
                }
            }
            // If a trap ends the run, the last line printed shows where to start with FUZZ_FIRST.
            if n % 50_000 == 49_999 { FileHandle.standardError.write(Data("mutation \(n + 1)\n".utf8)) }
        }
        // If most files were rejected, the test would check little.
        #expect(accepted > count / 4)
    }
}
