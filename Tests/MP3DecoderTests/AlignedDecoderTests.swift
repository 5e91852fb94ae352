import Foundation
import MP3Decoder
import MPEGAudio
import TestSupport
import Testing

@Suite("Aligned decoder")
struct AlignedDecoderTests {
    /// The frames of two seconds of music, each independent of the main data of those before it.
    private static func frames(_ options: [String]) throws -> (file: [UInt8], frames: [[UInt8]]) {
        let pcm = PCM.music(frameCount: 88_200, sampleRate: 44_100, channelCount: 2, seed: 7)
        let bytes = try Encoders.lame(pcm, options + ["--nores"])
        let index = try MPEGAudioStream.scan(bytes.span.bytes).index
        return (bytes, (0..<index.count).map { Array(bytes[index[$0].range]) })
    }

    /// Decodes frames; a lost one is nil.
    private static func decode(_ frames: [[UInt8]]) throws -> [[Float]?] {
        let decoder = try AlignedDecoder()
        var results: [[Float]?] = []
        func take(_ result: AlignedDecoder.Result) {
            switch result {
            case .samples(let samples, _): results.append(Array(samples))
            case .lost: results.append(nil)
            }
        }
        for (number, frame) in frames.enumerated() {
            try decoder.decode(frame.span.bytes, take)
            // No result before its frame, and none later than two frames after it.
            #expect((number - 1...number + 1).contains(results.count))
        }
        decoder.finish(take)
        return results
    }

    @Test(
        "Decodes all frames to the samples that mpg123 writes",
        arguments: [["-b", "128"], ["-b", "64", "-m", "m"]])
    func samples(options: [String]) throws {
        let (file, frames) = try Self.frames(options)
        let directory = try TemporaryDirectory()
        let path = try directory.write(file, as: "a.mp3")
        let expected = try ProcessRun.run("mpg123", ["-q", "--no-gapless", "-e", "f32", "-s", path]).output
        let results = try Self.decode(frames)
        // The last frame is complete only for a decoder that knows that the file ends.
        #expect(results.count == frames.count)
        #expect(results.dropLast().allSatisfy { $0 != nil })
        let decoded = results.compactMap { $0 }.flatMap { $0.map(\.bitPattern) }
        let written = expected.withUnsafeBytes { raw in
            (0..<raw.count / 4).map {
                UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
            }
        }
        #expect(decoded.count >= (frames.count - 1) * 1152)
        #expect(written.starts(with: decoded))
    }

    @Test("Frames that cannot be decoded are lost; the others stay where they were", arguments: [1, 3, 20])
    func damaged(count: Int) throws {
        let (_, frames) = try Self.frames(["-b", "128"])
        let clean = try Self.decode(frames)
        var damaged = frames
        for number in 30..<30 + count { damaged[number] = [UInt8](repeating: 0, count: frames[number].count) }
        let results = try Self.decode(damaged)
        #expect(results.count == frames.count)
        #expect(results[..<28].elementsEqual(clean[..<28]))
        // The first frame after the gap overlaps with the damaged one before it. Which frames were lost is known only to within
        // the decoder's lag.
        let late = 2
        for number in 31 + count..<frames.count - 1 - late {
            #expect(
                (number - late...number + late).contains { results[$0] == clean[number] }, "frame \(number)")
        }
    }
}
