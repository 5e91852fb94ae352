import MPEGAudio
import TestSupport
import Testing

/// Checks lookups and storage of frame positions. The positions themselves are compared with ffprobe's elsewhere.
@Suite struct FrameIndexTests {
    @Test(arguments: Encoding.all)
    func theCompactFormHoldsWhatTheHeadersSay(_ encoding: Encoding) throws {
        let bytes = try encoding.encode(encoding.source(frameCount: encoding.rate * 4))
        let stream = try MPEGAudioStream.scan(bytes)
        let index = stream.index
        // A simple walk from header to header.
        var offset = stream.payload.lowerBound + (stream.infoTag?.frame.count ?? 0)
        var walked: [FrameExtent] = []
        while offset < bytes.count, let header = MPEGFrameHeader(bytes.span.bytes, at: offset) {
            let length = header.frameLength ?? index[walked.count].length
            walked.append(FrameExtent(offset: offset, length: length))
            offset += length
        }
        #expect(offset == bytes.count)
        #expect(Array(index) == walked)
        #expect(try FrameIndex(decoding: index.encoded()) == index)
        #expect(
            index.byteRanges(of: 3..<index.count - 2) == [walked[3].offset..<walked[index.count - 2].offset])
        #expect(index.byteRanges(of: 5..<5).isEmpty)
    }

    @Test func samplesAndTimesFindTheirFrames() throws {
        let bytes = try Encoders.lame(PCM.music(frameCount: 100_000), ["-V", "4"])
        let index = try MPEGAudioStream.scan(bytes).index
        for (sample, frame) in [(0, 0), (1151, 0), (1152, 1), (50_000, 43)] {
            #expect(index.frame(atSample: sample) == frame)
            #expect(index.frame(atTime: (Double(sample) + 0.5) / 44_100) == frame)
        }
        #expect(index.frame(atSample: index.count * 1152 - 1) == index.count - 1)
        #expect(index.frame(atSample: index.count * 1152) == nil)
        #expect(index.frame(atSample: -1) == nil)
        #expect(index.frame(atSample: .max) == nil)
        #expect(index.frame(atTime: .nan) == nil)
        #expect(index.frame(atTime: 1e300) == nil)
        #expect(index.startSample(ofFrame: 7) == 8064)
    }

    @Test(arguments: [
        ("--cbr -b 128", 1000.0), ("--cbr -b 320", 1000), ("-V 0", 4000), ("-V 5", 4000), ("--abr 160", 4000),
    ])
    func storageIsSmall(_ options: String, _ bytesPerMinute: Double) throws {
        // A quarter of a minute.
        let pcm = PCM.music(frameCount: 44_100 * 15)
        let stream = try MPEGAudioStream.scan(
            try Encoders.lame(pcm, options.split(separator: " ").map(String.init)))
        #expect(Double(stream.index.encoded().count) * 4 < bytesPerMinute)
        #expect(Double(stream.index.memoryFootprint) * 4 < bytesPerMinute)
    }

    @Test func anEmptyBlobIsRefused() {
        for blob in [[], [0x4D], Array("MFI".utf8) + [9, 0, 0, 0, 0, 0]] as [[UInt8]] {
            let error = #expect(throws: MPEGAudioError.self) { try FrameIndex(decoding: blob) }
            #expect(error?.code == .malformedIndex)
        }
    }
}
