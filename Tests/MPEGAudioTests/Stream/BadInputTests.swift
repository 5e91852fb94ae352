import MPEGAudio
import TestSupport
import Testing

/// Damaged, foreign and unusual files.
@Suite struct BadInputTests {
    private static let source = PCM.music(frameCount: 44_100 * 3)
    private let clean: [UInt8]
    private let stream: MPEGAudioStream

    init() throws {
        clean = try Encoders.lame(Self.source, ["-V", "4"])
        stream = try MPEGAudioStream.scan(clean)
    }

    private func noise(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private func code(_ bytes: [UInt8]) -> MPEGAudioError.Code? {
        do {
            _ = try MPEGAudioStream.scan(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func emptyAndTagOnlyFilesHaveErrorsOfTheirOwn() {
        #expect(code([]) == .empty)
        #expect(code(HandMadeTags.id3v2(body: [UInt8](repeating: 0, count: 500))) == .tagsOnly)
        #expect(code(HandMadeTags.id3v1) == .tagsOnly)
        #expect(code(noise(50_000)) == .noAudio)
        #expect(code([0xFF]) == .noAudio)
        #expect(code([0xFF, 0xFB, 0x90, 0x00]) == .noAudio)
    }

    @Test(arguments: [
        ("out.flac", ["-c:a", "flac"], "a FLAC file"), ("out.ogg", ["-c:a", "libvorbis"], "an Ogg file"),
        ("out.m4a", ["-c:a", "aac"], "an MP4 file"), ("out.wav", [], "a WAV file"),
        ("out.aiff", [], "an AIFF file"),
        ("out.mka", ["-c:a", "libmp3lame"], "a Matroska or WebM file"),
        ("out.mp4", ["-c:a", "libmp3lame"], "an MP4 file"),
        ("out.aac", ["-c:a", "aac", "-f", "adts"], "an AAC stream (ADTS)"),
        ("out.wma", ["-c:a", "wmav2"], "a Windows Media file"),
    ])
    func otherAudioIsNamed(_ name: String, _ options: [String], _ expected: String) throws {
        let bytes = try Encoders.ffmpeg(PCM.music(frameCount: 22_050), options, as: name)
        let error = #expect(throws: MPEGAudioError.self) { try MPEGAudioStream.scan(bytes) }
        #expect(error?.code == .otherFileType)
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test func otherFilesAreNamed() {
        let files: [([UInt8], String)] = [
            ([0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + noise(9000), "a JPEG image"),
            ([0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A] + noise(9000), "a PNG image"),
            (Array("Grüße! This is a plain text.\n".utf8), "a text file"),
            (Array("<!DOCTYPE html><html><body>404</body></html>".utf8), "an HTML or XML page"),
            ([UInt8](repeating: 0, count: 100_000), "nothing but zeros"),
            (HandMadeTags.id3v2(body: noise(100)) + Array("fLaC".utf8) + noise(5000), "a FLAC file"),
        ]
        for (bytes, name) in files {
            let error = #expect(throws: MPEGAudioError.self) { try MPEGAudioStream.scan(bytes) }
            #expect(error?.code == .otherFileType)
            #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
        }
    }

    @Test func layersIAndIIAreRefusedByName() throws {
        let layerII = try Encoders.ffmpeg(PCM.music(frameCount: 22_050), ["-c:a", "mp2"], as: "out.mp2")
        // Layer I at 128 kbit/s and 32 kHz: (12 × 128,000 / 32,000) slots of 4 bytes.
        let layerI = (0..<20).flatMap { _ in [0xFF, 0xFF, 0x48, 0] + [UInt8](repeating: 0, count: 188) }
        for (bytes, name) in [(layerII, "MPEG-1 layer II audio"), (layerI, "MPEG-1 layer I audio")] {
            let error = #expect(throws: MPEGAudioError.self) { try MPEGAudioStream.scan(bytes) }
            #expect(error?.code == .unsupportedLayer)
            #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
        }
    }

    @Test(arguments: [1, 100])
    func truncationLosesTheLastFrameOnly(_ missing: Int) throws {
        let cut = try MPEGAudioStream.scan(Array(clean.dropLast(missing)))
        #expect(cut.index.count == stream.index.count - 1)
        #expect(cut.diagnostics.truncatedLastFrame)
        #expect(cut.diagnostics.truncatedBytes == stream.index[stream.index.count - 1].length - missing)
        #expect(cut.payload.upperBound == stream.index[stream.index.count - 1].offset)
        // The lost frame contained padding, so there is that much less to trim.
        let lost = max(0, stream.timeline.tailTrim - 1152)
        #expect(cut.timeline.tailTrim == lost)
    }

    @Test func aHoleIsSkippedAndCounted() throws {
        let frame = stream.index[40]
        var holed = clean
        holed.replaceSubrange(frame.offset + 10..<frame.offset + 10 + 4096, with: noise(4096))
        let damaged = try MPEGAudioStream.scan(holed)
        #expect(damaged.diagnostics.resyncCount == 1)
        let lost = stream.index.filter { $0.offset > frame.offset && $0.offset < frame.offset + 10 + 4096 }
        #expect(damaged.index.count == stream.index.count - lost.count)
        // From the first lost header to the first complete frame after the hole.
        #expect(damaged.diagnostics.skippedBytes == lost.reduce(0) { $0 + $1.length })
        #expect(damaged.index.last == stream.index.last)
        // The end is intact, so it is trimmed as before.
        #expect(damaged.timeline.tailTrim == stream.timeline.tailTrim)
        #expect(damaged.index.byteRanges(of: 0..<damaged.index.count).count == 2)
    }

    @Test func junkBeforeTheFirstFrameIsSkipped() throws {
        let junk = noise(1 << 20)
        let found = try MPEGAudioStream.scan(junk + clean)
        #expect(found.index.count == stream.index.count)
        #expect(found.payload.lowerBound == junk.count)
        #expect(found.diagnostics.skippedBytes == junk.count)
        #expect(found.timeline == stream.timeline)
    }

    @Test(arguments: 1...9)
    func fewFramesAreEnough(_ count: Int) throws {
        let frames = stream.index.byteRanges(of: 20..<20 + count)
        let bytes = frames.flatMap { clean[$0] }
        #expect(try MPEGAudioStream.scan(bytes).index.count == count)
        #expect(try MPEGAudioStream.scan(bytes + HandMadeTags.id3v1).index.count == count)
        #expect(try MPEGAudioStream.scan(HandMadeTags.id3v2(body: noise(99)) + bytes).index.count == count)
    }

    @Test func anInfoFrameAloneIsNoAudio() throws {
        let info = try #require(stream.infoTag?.frame)
        #expect(code(Array(clean[info])) == .noAudio)
    }

    // MARK: Wrong ID3v2 sizes

    @Test(arguments: [-1, 100, 1 << 27])
    func wrongID3v2SizesHideNoAudio(_ claimed: Int) throws {
        // A picture that contains bytes like headers: single ones and a pair at a frame's distance.
        var picture = noise(30_000)
        for at in stride(from: 50, to: 20_000, by: 611) {
            picture.replaceSubrange(at..<at + 4, with: [0xFF, 0xFB, 0x90, 0x64])
        }
        picture.replaceSubrange(100..<104, with: [0xFF, 0xFB, 0x90, 0x64])
        picture.replaceSubrange(517..<521, with: [0xFF, 0xFB, 0x90, 0x64])
        let body = Array("APIC".utf8) + HandMadeTags.synchsafe(picture.count) + [0, 0] + picture
        // −1: a size that covers the first 30 frames of audio.
        let size = claimed == -1 ? body.count + stream.index[30].offset + 7 : claimed
        let tag = HandMadeTags.id3v2(body: body, claimedSize: size)
        let found = try MPEGAudioStream.scan(tag + clean)
        #expect(found.index.count == stream.index.count)
        #expect(found.payload == tag.count..<tag.count + clean.count)
        #expect(found.diagnostics.wrongID3v2Size)
        #expect(found.diagnostics.skippedBytes == 0)
        #expect(found.tags.map(\.range) == [0..<tag.count])
    }

    @Test func aTagThatClaimsTheWholeFileHidesNoAudio() throws {
        // Its frames cannot be followed either.
        let tag = HandMadeTags.id3v2(body: noise(3000), claimedSize: 2990 + clean.count)
        let found = try MPEGAudioStream.scan(tag + clean)
        #expect(found.index.count == stream.index.count)
        #expect(found.diagnostics.wrongID3v2Size)
    }

    @Test func aFrameSizeThatLiesDoesNotMakeTheTagWrong() throws {
        // The frame size exceeds the tag; the tag size is right, and zeros follow it.
        let body = Array("TIT2".utf8) + HandMadeTags.synchsafe(2000) + [0, 0] + noise(300)
        let tag = HandMadeTags.id3v2(body: body)
        let found = try MPEGAudioStream.scan(tag + [0, 0, 0, 0, 0] + clean)
        #expect(found.index.count == stream.index.count)
        #expect(found.tags.map(\.range) == [0..<tag.count])
        #expect(found.diagnostics.skippedBytes == 5)
        #expect(!found.diagnostics.wrongID3v2Size)
    }

    @Test func aPictureIsNotAudio() throws {
        var picture = noise(200_000)
        for at in stride(from: 0, to: 199_000, by: 997) {
            picture.replaceSubrange(at..<at + 4, with: [0xFF, 0xFB, 0x90, 0x64])
        }
        let body = Array("APIC".utf8) + HandMadeTags.synchsafe(picture.count) + [0, 0] + picture
        #expect(code(HandMadeTags.id3v2(body: body)) == .tagsOnly)
    }

    // MARK: Time

    @Test(
        .timeLimit(.minutes(30)),
        arguments: [
            [0xFF], [0xFF, 0xFB, 0x90, 0x64], [0xFF, 0xFB, 0x00, 0x64], [0xFF, 0xE3, 0x18, 0xC4],
            Array("ID3\u{4}\0\0\0\0\0\0".utf8),
            Array("ID3\u{4}\0\0\u{7F}\u{7F}\u{7F}\u{7F}".utf8), Array("TAG".utf8), Array("TAG+".utf8),
            Array("LYRICSBEGIN".utf8),
            Array("LYRICSBEGIN000000LYRICS200".utf8), Array("LYRICSEND".utf8),
            Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 0, 0, 8, 0, 1, 0, 0, 0, 0, 0, 0, 0]
                + [UInt8](repeating: 0, count: 8),
            Array("APETAGEX".utf8) + [0xE8, 3, 0, 0, 0, 0, 8, 0, 255, 255, 255, 0, 0, 0, 0, 0]
                + [UInt8](repeating: 0, count: 8),
        ] as [[UInt8]])
    func hostileRepetitionTakesLinearTime(_ unit: [UInt8]) {
        // Work quadratic in this size would take hours.
        var bytes: [UInt8] = []
        while bytes.count < 1 << 20 { bytes += unit }
        _ = try? MPEGAudioStream.scan(bytes)
        _ = try? MPEGAudioStream.scan(clean + bytes)
        _ = try? MPEGAudioStream.scan(bytes + clean)
    }
}
