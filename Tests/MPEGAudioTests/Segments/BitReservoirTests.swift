import MPEGAudio
import TestSupport
import Testing

/// Checks that decoding from the pre-roll gives the same samples as mpg123 decoding the whole file.
@Suite struct BitReservoirTests {
    @Test(arguments: [
        Encoding(rate: 44_100, channels: 2, options: "-V 3 -p"),
        Encoding(rate: 44_100, channels: 2, options: "-b 128 -p"),
        Encoding(rate: 32_000, channels: 1, options: "-b 32 -m m --resample 32"),
        Encoding(rate: 48_000, channels: 2, options: "-b 320"),
        Encoding(rate: 22_050, channels: 2, options: "-b 32 --resample 22.05"),
        Encoding(rate: 11_025, channels: 1, options: "-V 7 --resample 11.025"),
    ])
    func cutsDecodeExactly(_ encoding: Encoding) throws {
        let bytes = try encoding.encode(encoding.source(frameCount: encoding.rate * 3))
        let stream = try MPEGAudioStream.scan(bytes)
        let index = stream.index
        let directory = try TemporaryDirectory()
        func decode(_ frames: Range<Int>) throws -> [Int16] {
            let data = index.byteRanges(of: frames).flatMap { bytes[$0] }
            return try ReferenceTools.mpg123Samples(try directory.write(data, as: "cut.mp3"))
        }
        let whole = try decode(0..<index.count)
        let samplesPerFrame = stream.format.samplesPerFrame * encoding.channels
        #expect(whole.count == index.count * samplesPerFrame)

        var random = SeededGenerator(seed: 3)
        var needed = 0
        var worstWithout = 0
        for _ in 0..<6 {
            let frame = Int.random(in: 10..<index.count - 6, using: &random)
            let first = try BitReservoir.firstFrameToFeed(
                toDecode: frame, index: index, bytes: bytes.span.bytes)
            let expected = whole[frame * samplesPerFrame..<(frame + 5) * samplesPerFrame]
            func worstError(from first: Int) throws -> Int {
                let part = try decode(first..<frame + 5).dropFirst((frame - first) * samplesPerFrame)
                #expect(part.count == expected.count)
                return zip(part, expected).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
            }
            // The filter bank sums in a different order after a different number of frames, which may round a sample the other way.
            #expect(try worstError(from: first) <= 1, "frame \(frame) from \(first)")
            worstWithout = max(worstWithout, try worstError(from: frame))
            needed = max(needed, frame - first)
        }
        #expect(worstWithout > 100)
        // At most twice the frames that 511 bytes of main data before the intact frame can occupy.
        #expect(needed <= 16)
    }

    @Test func theFirstFrameNeedsNothing() throws {
        let bytes = try Encoders.lame(PCM.music(frameCount: 30_000))
        let index = try MPEGAudioStream.scan(bytes).index
        #expect(try BitReservoir.firstFrameToFeed(toDecode: 0, index: index, bytes: bytes.span.bytes) == 0)
    }

    @Test func anotherFileIsNoticed() throws {
        let bytes = try Encoders.lame(PCM.music(frameCount: 30_000))
        let index = try MPEGAudioStream.scan(bytes).index
        for other in [[UInt8](repeating: 0, count: bytes.count), Array(bytes.prefix(500))] {
            let error = #expect(throws: MPEGAudioError.self) {
                try BitReservoir.firstFrameToFeed(toDecode: 9, index: index, bytes: other.span.bytes)
            }
            #expect(error?.code == .indexMismatch)
        }
        let error = #expect(throws: MPEGAudioError.self) {
            try BitReservoir.firstFrameToFeed(toDecode: index.count, index: index, bytes: bytes.span.bytes)
        }
        #expect(error?.code == .invalidArgument)
    }
}
