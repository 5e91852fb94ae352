import Foundation
import Testing
import TestSupport

@testable import Analyzer

@Suite("Fingerprints, compared with fpcalc")
struct FingerprintTests {
    /// Returns the fingerprint that `fpcalc` computes of a file.
    private func fpcalc(_ bytes: [UInt8], _ name: String) throws -> [UInt32] {
        let folder = try TemporaryDirectory()
        try Data(bytes).write(to: folder.url.appending(path: name))
        // With recent libraries it takes the end of the file for an error, and exits with 3.
        let run = try ProcessRun.run("fpcalc", ["-raw", "-json", folder.file(name)], mustSucceed: false)
        let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        return try #require(report["fingerprint"] as? [UInt32])
    }

    /// Feeds samples in blocks of odd lengths.
    private func measure(_ pcm: PCM) -> AudioFingerprint? {
        let meter = FingerprintMeter(sampleRate: pcm.sampleRate)
        let channels = (0..<pcm.channelCount).map { channel in
            (0..<pcm.frameCount).map { Float(pcm.samples[$0 * pcm.channelCount + channel]) / 32_768 }
        }
        var start = 0
        var length = 1
        while start < pcm.frameCount {
            let end = min(start + length, pcm.frameCount)
            let left = channels[0], right = channels[channels.count - 1]
            left.withUnsafeBufferPointer { left in
                right.withUnsafeBufferPointer { right in
                    let all = [left, right].prefix(channels.count)
                    meter.consume(all.map { UnsafeBufferPointer(rebasing: $0[start..<end]) })
                }
            }
            (start, length) = (end, length * 7 % 4801 + 1)
        }
        return meter.finish()
    }

    @Test(
        "Equal to fpcalc's to the bit, at every sample rate of MP3 and two higher ones",
        arguments: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000],
        [1, 2])
    func equality(rate: Int, channels: Int) throws {
        // A difference in rounding changes one bit in some of these.
        for seed in 1...6 as ClosedRange<UInt64> {
            let pcm = PCM.music(
                frameCount: rate * 20 + 17, sampleRate: rate, channelCount: channels,
                seed: 1000 * seed + UInt64(rate))
            let expected = try fpcalc(pcm.wav, "music.wav")
            #expect(expected.count > 100)
            #expect(measure(pcm)?.words == expected)
        }
    }

    @Test(
        "A decimator's samples are libswresample's to the bit, also of the loudest noise and of blocks of any length",
        arguments: [2, 4, 8, 16], [1, 2])
    func decimation(factor: Int, channelCount: Int) throws {
        let rate = factor * FingerprintResampler.outputRate
        var random = SeededGenerator(seed: UInt64(factor))
        let channels = (0..<channelCount).map { _ in
            (0..<200_000).map { _ in
                // Half of them at full scale, so that sums exceed 16 bits.
                let extreme: Int16 = Bool.random(using: &random) ? .min : .max
                return Bool.random(using: &random) ? extreme : Int16.random(in: .min ... .max, using: &random)
            }
        }
        let decimator = try #require(FingerprintDecimator(inputRate: rate, channelCount: channelCount))
        let resampler = try #require(FingerprintResampler(inputRate: rate, channelCount: channelCount))
        var (ours, theirs): ([Int16], [Int16]) = ([], [])
        var start = 0
        var length = 1
        while start < channels[0].count {
            let end = min(start + length, channels[0].count)
            let block = channels.map { Array($0[start..<end]) }
            decimator.process(block) { ours.append(contentsOf: $0) }
            resampler.process(block) { theirs.append(contentsOf: $0) }
            (start, length) = (end, length * 7 % 9001 + 1)
        }
        #expect(theirs.count > channels[0].count / factor - 100 && ours.count == theirs.count)
        let different = zip(ours, theirs).enumerated().first { $1.0 != $1.1 }?.offset
        #expect(different == nil)
    }

    @Test("Covers the first two minutes")
    func limit() throws {
        let pcm = PCM.music(frameCount: 44_100 * 127, channelCount: 2, seed: 3)
        let fingerprint = try #require(measure(pcm))
        #expect(fingerprint.words == (try fpcalc(pcm.wav, "music.wav")))
        #expect(abs(Double(fingerprint.words.count) * AudioFingerprint.secondsPerWord - 120) < 3)
    }

    @Test("Audio of less than three seconds has none", arguments: [0, 1, 60, 44_100, 2 * 44_100])
    func short(frameCount: Int) {
        #expect(measure(PCM.music(frameCount: frameCount, seed: 4)) == nil)
    }

    @Test("The fingerprint of an MP3 is that of its gapless samples, in the form that AcoustID expects")
    func ofFile() throws {
        let pcm = PCM.music(frameCount: 44_100 * 30, seed: 5)
        let bytes = try Encoders.lame(pcm, ["-b", "128"])
        let folder = try TemporaryDirectory()
        try Data(bytes).write(to: folder.url.appending(path: "a.mp3"))
        let file = try MappedFile(path: Array(folder.file("a.mp3").utf8))
        guard case .analyzed(let analysis, _) = try TrackAnalyzer().analyze(file) else {
            Issue.record("not analysed")
            return
        }
        let fingerprint = try #require(analysis.profile?.fingerprint)
        // Decoders differ in the last bit of some samples.
        let expected = try fpcalc(bytes, "a.mp3")
        #expect(fingerprint.words.count == expected.count)
        let differing = zip(fingerprint.words, expected).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
        #expect(Double(differing) <= 0.002 * 32 * Double(expected.count), "\(differing) bits")
        let run = try ProcessRun.run("fpcalc", ["-json", folder.file("a.mp3")], mustSucceed: false)
        let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        let text = try #require(report["fingerprint"] as? String)
        if differing == 0 { #expect(fingerprint.text == text) }
        #expect(fingerprint.text.prefix(4) == text.prefix(4))
        #expect(AudioFingerprint(bytes: fingerprint.bytes) == fingerprint)
        #expect(AudioFingerprint(bytes: [1, 2, 3]) == nil)
    }
}
