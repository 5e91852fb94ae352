import Foundation
import MP3Encoder
import MPEGAudio
import TestSupport
import Testing

@Suite struct AlignedEncoderTests {
    /// Decoded plainly, the sound is where it was: the best match of the two is at no shift at all.
    @Test(arguments: [(44_100, 2, 64), (48_000, 1, 32), (22_050, 2, 64), (32_000, 2, 64)])
    func framesStandWhereTheSoundWas(rate: Int, channels: Int, bitRate: Int) throws {
        let pcm = PCM.music(frameCount: rate * 4, sampleRate: rate, channelCount: channels, seed: 3)
        let samples = pcm.samples.map { Float($0) / 32_768 }
        let encoder = try AlignedEncoder(sampleRate: rate, channels: channels, bitRate: bitRate)
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: samples.count, by: 1000 * channels) {
            let piece = Array(samples[start..<min(start + 1000 * channels, samples.count)])
            try piece.withUnsafeBufferPointer { try encoder.encode($0) { bytes += $0 } }
        }
        try encoder.finish { bytes += $0 }
        let index = try MPEGAudioStream.scan(bytes.span.bytes).index
        let samplesPerFrame = index.sections[0].format.samplesPerFrame
        #expect(index.count >= pcm.frameCount / samplesPerFrame)
        #expect(index.byteCount == bytes.count)

        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, as: "low.mp3")
        // Whole and untrimmed: the file has no header that says what to trim.
        let decoded = try ProcessRun.run(
            "mpg123", ["-q", "--no-gapless", "-e", "s16", "-s", path]
        ).output
        let output = decoded.withUnsafeBytes { raw in
            (0..<raw.count / 2).map {
                Int16(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
            }
        }
        func difference(shift: Int) -> Double {
            var sum = 0.0
            for i in rate..<rate + 6000 {
                let one = Double(pcm.samples[i * channels])
                let other = Double(output[(i + shift) * channels])
                sum += (one - other) * (one - other)
            }
            return sum
        }
        let best = (-40...40).min { difference(shift: $0) < difference(shift: $1) }
        #expect(best == 0)
    }

    @Test(arguments: [(44_100, 7, 64), (44_000, 2, 64), (44_100, 2, 65), (8000, 1, 128)])
    func whatCannotBeEncodedSaysSo(rate: Int, channels: Int, bitRate: Int) {
        #expect(throws: EncoderError.self) {
            _ = try AlignedEncoder(sampleRate: rate, channels: channels, bitRate: bitRate)
        }
    }
}
