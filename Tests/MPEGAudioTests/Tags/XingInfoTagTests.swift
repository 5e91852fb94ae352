import MPEGAudio
import TestSupport
import Testing

/// Compares encoder tags as read here with the encoder's options and the frames.
@Suite struct XingInfoTagTests {
    @Test(arguments: [
        ("-V 2", XingInfoTag.Kind.xing, XingInfoTag.EncodingMethod.variable),
        ("-b 160 --cbr", .info, .constant),
        ("--abr 140", .xing, .average), ("-V 5 -p", .xing, .variable),
    ])
    func lameTagIsRead(_ options: String, _ kind: XingInfoTag.Kind, _ method: XingInfoTag.EncodingMethod)
        throws
    {
        let bytes = try Encoders.lame(
            PCM.music(frameCount: 100_000), options.split(separator: " ").map(String.init))
        let stream = try MPEGAudioStream.scan(bytes)
        let tag = try #require(stream.infoTag)
        #expect(tag.kind == kind)
        #expect(tag.method == method)
        #expect(tag.encoder?.hasPrefix("LAME3.") == true)
        #expect(tag.claimedFrameCount == stream.index.count)
        #expect(tag.claimedByteCount == bytes.count)
        #expect(tag.tableOfContents.count == 100)
        #expect(tag.tableOfContents == tag.tableOfContents.sorted())
        #expect(tag.quality.map { (0...100).contains($0) } == true)
        // LAME's delay is 576 samples; its padding fills the last frame.
        #expect(tag.encoderDelay == 576)
        #expect(tag.encoderPadding == stream.timeline.decodedSampleCount - 576 - 100_000)
        #expect(stream.timeline.headTrim == 1105)
    }

    @Test func libavformatTagIsRead() throws {
        let source = PCM.music(frameCount: 77_777)
        let stream = try MPEGAudioStream.scan(
            try Encoders.ffmpeg(source, ["-c:a", "libmp3lame", "-b:a", "128k"], as: "out.mp3"))
        #expect(stream.infoTag?.kind == .info)
        #expect(stream.infoTag?.encoder?.hasPrefix("Lav") == true)
        #expect(stream.timeline.sampleCount == source.frameCount)
    }

    @Test func claimsAreNotTrusted() throws {
        var bytes = try Encoders.lame(PCM.music(frameCount: 50_000), ["-V", "3"])
        let truth = try MPEGAudioStream.scan(bytes)
        let tag = try #require(truth.infoTag)
        // The frame count is 8 bytes after "Xing", which is after 4 + 32 bytes.
        bytes.replaceSubrange(
            tag.frame.lowerBound + 44..<tag.frame.lowerBound + 48, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let lied = try MPEGAudioStream.scan(bytes)
        #expect(lied.index == truth.index)
        #expect(lied.timeline == truth.timeline)
        #expect(
            lied.diagnostics.frameCountMismatch
                == .some(.init(claimed: 0xFFFF_FFFF, actual: truth.index.count)))
    }

    @Test func vbriIsReadAndLeftOut() throws {
        // -t: without LAME's own tag.
        let bytes = try Encoders.lame(PCM.music(frameCount: 50_000), ["-V", "3", "-t"])
        let plain = try MPEGAudioStream.scan(bytes)
        #expect(plain.infoTag == nil)
        #expect(plain.timeline.sampleCount == plain.timeline.decodedSampleCount)
        var frame = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
        let fields: [UInt8] = [
            0, 1, 0x04, 0x5A, 0, 75, 0, 1, 0x86, 0xA0, 0, 0, 0, 44, 0, 0, 0, 1, 0, 2, 0, 1,
        ]
        frame.replaceSubrange(36..<36 + 26, with: Array("VBRI".utf8) + fields)
        let stream = try MPEGAudioStream.scan(frame + bytes)
        #expect(stream.infoTag?.kind == .vbri)
        #expect(stream.infoTag?.quality == 75)
        #expect(stream.infoTag?.claimedByteCount == 100_000)
        #expect(stream.infoTag?.claimedFrameCount == 44)
        #expect(stream.index.count == plain.index.count)
        #expect(stream.timeline.headTrim == 0)
        #expect(stream.payload.lowerBound == 0)
    }
}
