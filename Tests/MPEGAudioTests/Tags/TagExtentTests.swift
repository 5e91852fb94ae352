import MPEGAudio
import TestSupport
import Testing

/// Checks the extents of tags in any order, both hand-made ones of known length and ffmpeg's.
@Suite struct TagExtentTests {
    private let clean: [UInt8]
    private let stream: MPEGAudioStream

    init() throws {
        clean = try Encoders.lame(PCM.music(frameCount: 30_000), ["-b", "96"])
        stream = try MPEGAudioStream.scan(clean)
    }

    private static let leading: [(TagExtent.Kind, [UInt8])] = [
        (.id3v2, HandMadeTags.id3v2(body: [UInt8](repeating: 0, count: 333), version: 3)),
        (.id3v2, HandMadeTags.id3v2(body: [UInt8](repeating: 0, count: 200), version: 4, flags: 0x90)),
        (.id3v2, HandMadeTags.id3v2(body: Array("TT2".utf8) + [0, 0, 4, 0, 0x41, 0x42, 0x43], version: 2)),
        (.ape, HandMadeTags.ape(valueSize: 100)),
        (.id3v1, HandMadeTags.id3v1),
    ]

    private static let trailing: [(TagExtent.Kind, [UInt8])] = [
        (.id3v1, HandMadeTags.id3v1),
        (.ape, HandMadeTags.ape(valueSize: 500)),
        (.ape, HandMadeTags.ape(valueSize: 40, version: 1000, hasHeader: false)),
        (.ape, HandMadeTags.ape(valueSize: 40, hasHeader: false)),
        (.lyrics3v1, HandMadeTags.lyrics3v1),
        (.lyrics3v2, HandMadeTags.lyrics3v2),
        (.id3v2, HandMadeTags.id3v2(body: [UInt8](repeating: 7, count: 90), flags: 0x10)),
        (.id3v1Extended, HandMadeTags.id3v1Extended),
    ]

    @Test(arguments: 0..<40)
    func anyStackOfTagsIsFoundAndLeavesThePayloadAlone(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let before = Self.leading.shuffled(using: &random).prefix(seed % 4)
        let after = Self.trailing.shuffled(using: &random).prefix(seed % 5)
        let bytes = before.flatMap(\.1) + clean + after.flatMap(\.1)
        let tagged = try MPEGAudioStream.scan(bytes)

        var expected: [TagExtent] = []
        var position = 0
        for (kind, tag) in before {
            expected.append(.init(kind: kind, range: position..<position + tag.count, placement: .leading))
            position += tag.count
        }
        #expect(tagged.payload == position..<position + clean.count)
        position += clean.count
        for (kind, tag) in after {
            expected.append(.init(kind: kind, range: position..<position + tag.count, placement: .trailing))
            position += tag.count
        }
        #expect(tagged.tags == expected)
        #expect(Array(bytes[tagged.payload]) == clean)
        #expect(tagged.timeline == stream.timeline)
        #expect(!tagged.diagnostics.wrongID3v2Size)
        #expect(tagged.diagnostics.skippedBytes == 0)
    }

    @Test func theTagsOfOtherWritersLeaveThePayloadAlone() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(clean, as: "in.mp3")
        for version in ["3", "4"] {
            let output = directory.file("out\(version).mp3")
            try ProcessRun.run(
                "ffmpeg",
                [
                    "-v", "error", "-i", path, "-c", "copy", "-write_xing", "0", "-id3v2_version", version,
                    "-write_id3v1", "1",
                    "-metadata", "title=Ünïcode", "-metadata", "artist=Someone", output,
                ])
            let tagged = try MPEGAudioStream.scan(try directory.read("out\(version).mp3"))
            #expect(tagged.tags.map(\.kind) == [.id3v2, .id3v1])
            #expect(tagged.index.count == stream.index.count)
            #expect(tagged.diagnostics.skippedBytes == 0)
        }
    }

    @Test func tagsBetweenJoinedFilesAreTagsNotJunk() throws {
        let join = HandMadeTags.id3v1 + HandMadeTags.id3v2(body: [UInt8](repeating: 0, count: 64))
        let joined = try MPEGAudioStream.scan(clean + join + clean)
        #expect(joined.index.count == 2 * stream.index.count)
        #expect(joined.tags.map(\.placement) == [.interior, .interior])
        #expect(joined.diagnostics.skippedBytes == 0)
        #expect(joined.diagnostics.resyncCount == 0)
    }

    @Test func aDamagedAPESizeSwallowsNoAudio() throws {
        var tag = HandMadeTags.ape(valueSize: 100)
        let footer = tag.count - 32
        tag.replaceSubrange(footer + 12..<footer + 16, with: [0, 0x20, 0, 0])
        let tagged = try MPEGAudioStream.scan(clean + tag)
        #expect(tagged.index.count == stream.index.count)
    }

    // Four frames in a row inside a tag were mistaken for the start of the stream.
    @Test("Frames inside a tag with a correct size are not audio", arguments: [0, 1, 2])
    func framesInsideATag(kind: Int) throws {
        let other = try Encoders.lame(PCM.music(frameCount: 60_000, seed: 5), ["-b", "96", "-t"])
        let frames = Array(other[try MPEGAudioStream.scan(other).payload])
        let text = Array("TIT2".utf8) + [0, 0, 0, 4, 0, 0, 3, 0x61, 0x62, 0x63]
        let body: [UInt8]
        switch kind {
        case 0: body = frames
        case 1: body = frames + [UInt8](repeating: 0, count: 100)
        default:
            body = text + [UInt8](repeating: 0, count: 50) + frames.dropLast(200) + Array("and so on".utf8)
        }
        let tagged = try MPEGAudioStream.scan(HandMadeTags.id3v2(body: body) + clean)
        #expect(tagged.payload == body.count + 10..<body.count + 10 + clean.count)
        #expect(tagged.timeline == stream.timeline)
        #expect(!tagged.diagnostics.wrongID3v2Size)
    }
}
