import Foundation
import TestSupport
import Testing

@testable import Tagging

/// Checks how edits change the metadata of FLAC files; flac, metaflac and mutagen verify the results.
@Suite("FLAC tag rewrites")
struct FLACRewriteTests {
    private static let sound = Result { try IntegerSound.tones(frameCount: 9_000).flac(["--no-padding"]) }
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 9]

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Returns a file with the given comments, and other blocks after them.
    private func file(_ comments: [String]?, _ others: [FLACMetadata.Block] = []) throws -> [UInt8] {
        var metadata = try #require(FLACMetadata(try Self.sound.get()))
        metadata.blocks = metadata.blocks.filter { $0.type == 0 }
        if let comments { metadata.blocks.append(FLACMetadata.commentBlock(comments)) }
        metadata.blocks += others
        return metadata.bytes
    }

    private func open(_ bytes: [UInt8], _ name: String) throws -> FileHandle {
        let path = try folder.write(bytes, as: name)
        return try #require(FileHandle(forReadingAtPath: path))
    }

    /// Applies an edit, reads it back, and checks that nothing but the metadata changed.
    private func rewritten(_ bytes: [UInt8], _ change: (inout TagEdit) -> Void) throws -> FLACMetadata {
        var edit = TagEdit()
        change(&edit)
        let handle = try open(bytes, "file.flac")
        let state = try TagState(descriptor: handle.fileDescriptor)
        let rewrite = try TagRewrite(of: edit, tags: state.tags, descriptor: handle.fileDescriptor)
        let result = rewrite.leading + bytes[rewrite.kept] + rewrite.trailing
        #expect(rewrite.container == .flac && rewrite.byteCount == result.count)
        #expect(rewrite.isChanged == (result != bytes))
        let second = try open(result, "after.flac")
        let after = try TagState(descriptor: second.fileDescriptor)
        #expect(after.firstDifference(after: try edit.checked(), of: state) == nil)
        let (old, new) = (try #require(FLACMetadata(bytes)), try #require(FLACMetadata(result)))
        #expect(new.blocks.first == old.blocks.first)
        // flac rejects files with a tag of an unknown version in front, or with any tag at the end.
        if new.front.isEmpty, !new.rest.suffix(128).starts(with: Array("TAG".utf8)) {
            #expect(new.rest == old.rest)
            try ProcessRun.run("flac", ["-ts", folder.file("after.flac")])
        }
        return new
    }

    private func tags(_ bytes: [UInt8]) throws -> TrackTags {
        try TrackTags.read(from: folder.write(bytes, as: "read.flac"))
    }

    /// Returns all comments as mutagen reads them.
    private func mutagen(_ bytes: [UInt8]) async throws -> [[String]] {
        let code = """
            import sys, json
            from mutagen.flac import FLAC
            print(json.dumps([list(each) for each in FLAC(sys.argv[1]).tags]))
            """
        let run = try await PythonTools.run(code, [try folder.write(bytes, as: "mutagen.flac")])
        return try JSONDecoder().decode([[String]].self, from: Data(run.utf8))
    }

    @Test("metaflac and mutagen read all fields as they were set, with the usual names")
    func allFields() async throws {
        let gains = try [-7.034, 1.5].map { try #require(ReplayGainEdit.Gain(dB: $0)) }
        let peaks = try [0.9876543, 1].map { try #require(ReplayGainEdit.Peak($0)) }
        let result = try rewritten(try Self.sound.get()) {
            $0.title = .set("Tïtle 🎺")
            $0.artist = .set("Artist")
            $0.album = .set("Album")
            $0.albumArtist = .set("Various = all")
            $0.trackNumber = .set(3)
            $0.trackTotal = .set(12)
            $0.discNumber = .set(1)
            $0.discTotal = .set(2)
            $0.year = .set(973)
            $0.genre = .set("17")
            $0.comment = .set("one\ntwo")
            $0.composer = .set("作曲家")
            $0.isCompilation = .set(true)
            $0.bpm = .set(128)
            $0.initialKey = .set("F#m")
            $0.replayGain.trackGain = .set(gains[0])
            $0.replayGain.trackPeak = .set(peaks[0])
            $0.replayGain.albumGain = .set(gains[1])
            $0.replayGain.albumPeak = .set(peaks[1])
            $0.lyrics.added = [LyricsEdit.Item(comment: "[00:01.00]La la\n[00:02.00]Lá")]
        }
        let expected = [
            ["TITLE", "Tïtle 🎺"], ["ARTIST", "Artist"], ["ALBUM", "Album"], ["ALBUMARTIST", "Various = all"],
            ["TRACKNUMBER", "3"], ["TRACKTOTAL", "12"], ["DISCNUMBER", "1"], ["DISCTOTAL", "2"],
            ["DATE", "0973"], ["GENRE", "17"], ["COMPOSER", "作曲家"], ["COMMENT", "one\ntwo"],
            ["COMPILATION", "1"], ["BPM", "128"], ["INITIALKEY", "F#m"],
            ["REPLAYGAIN_TRACK_GAIN", "-7.03 dB"], ["REPLAYGAIN_TRACK_PEAK", "0.987654"],
            ["REPLAYGAIN_ALBUM_GAIN", "1.50 dB"], ["REPLAYGAIN_ALBUM_PEAK", "1.000000"],
            ["LYRICS", "[00:01.00]La la\n[00:02.00]Lá"],
        ]
        #expect(try await mutagen(result.bytes) == expected)
        let exported = try ProcessRun.run(
            "metaflac", ["--no-utf8-convert", "--export-tags-to=-", folder.file("mutagen.flac")]
        ).text
        #expect(exported == expected.map { "\($0[0])=\($0[1])\n" }.joined())
        // The vendor's name is that of the encoder.
        let vendor = try ProcessRun.run("metaflac", ["--show-vendor-tag", folder.file("mutagen.flac")]).text
        #expect(vendor.contains("libFLAC"))

        let removed = try rewritten(result.bytes) {
            $0.title = .remove
            $0.trackNumber = .remove
            $0.discTotal = .remove
            $0.year = .remove
            $0.comment = .remove
            $0.isCompilation = .set(false)
            $0.bpm = .remove
            $0.replayGain.albumGain = .remove
            $0.replayGain.albumPeak = .remove
            $0.lyrics.removed = [0]
        }
        let gone = [
            "TITLE", "TRACKNUMBER", "DISCTOTAL", "DATE", "COMMENT", "COMPILATION", "BPM",
            "REPLAYGAIN_ALBUM_GAIN", "REPLAYGAIN_ALBUM_PEAK", "LYRICS",
        ]
        #expect(try await mutagen(removed.bytes) == expected.filter { !gone.contains($0[0]) })
        // Only the total is left.
        #expect(try tags(removed.bytes).track == NumberInSet(total: 12))
    }

    @Test("Values written by mutagen and metaflac are read")
    func foreign() async throws {
        let path = try folder.write(try Self.sound.get(), as: "foreign.flac")
        let code = """
            import sys
            from mutagen.flac import FLAC
            file = FLAC(sys.argv[1])
            file['title'] = 'Größe'
            file['artist'] = ['A', 'B']
            file['tracknumber'] = '3'
            file['totaltracks'] = '9'
            file['lyrics'] = '[00:01.00]Words'
            file['unsyncedlyrics'] = 'Words'
            file.save()
            """
        _ = try await PythonTools.run(code, [path])
        try ProcessRun.run("metaflac", ["--set-tag=DATE=2003-05-01", "--set-tag=DISCNUMBER=1/2", path])
        let tags = try TrackTags.read(from: path)
        #expect(tags.title == "Größe" && tags.artist == "A; B" && tags.year == 2003)
        #expect(
            tags.track == NumberInSet(number: 3, total: 9) && tags.disc == NumberInSet(number: 1, total: 2))
        let handle = try #require(FileHandle(forReadingAtPath: path))
        let lyrics = try StoredLyrics.read(descriptor: handle.fileDescriptor)
        #expect(lyrics.container == .flac && lyrics.items.map(\.kind) == [.comment, .comment])
        #expect(
            lyrics.items.map { $0.content.map { String(decoding: $0, as: UTF8.self) } } == [
                "[00:01.00]Words", "Words",
            ])
    }

    @Test("Other comments and blocks keep their bytes and their order; names keep their spelling")
    func others() throws {
        let comments: [[UInt8]] = [
            Array("Title=Old".utf8), Array("mood=blue".utf8), Array("ARTIST=A".utf8),
            [0x58, 0x3D, 0xFF, 0xFE],
            Array("no sign".utf8), Array("artist=B".utf8), Array("ALBUM ARTIST=V".utf8),
            Array("MUSICBRAINZ_ALBUMID=id".utf8), Array("ALBUMARTIST=W".utf8), Array("TITLE=".utf8), [],
            Array("METADATA_BLOCK_PICTURE=AAAA".utf8), Array("TITLESORT=t".utf8),
        ]
        var metadata = try #require(FLACMetadata(try file(nil)))
        metadata.blocks += [
            FLACMetadata.Block(2, Array("riff".utf8) + [1, 2, 3]),
            FLACMetadata.Block(3, [UInt8](repeating: 0xFF, count: 8) + [UInt8](repeating: 0, count: 10)),
            FLACMetadata.commentBlock(comments), FLACMetadata.pictureBlock(type: 4, [1, 2]),
            FLACMetadata.Block(1, [UInt8](repeating: 0, count: 300)), FLACMetadata.Block(77, [9, 8, 7]),
            FLACMetadata.Block(5, [UInt8](repeating: 0, count: 396)),
            FLACMetadata.pictureBlock(type: 17, [3]),
        ]
        let before = metadata
        let handle = try open(before.bytes, "file.flac")
        let state = try TagState(descriptor: handle.fileDescriptor)
        var edit = TagEdit()
        edit.title = .set("New")
        edit.artist = .set("C")
        edit.albumArtist = .set("U")
        edit.composer = .set("Me")
        let rewrite = try TagRewrite(of: edit, tags: state.tags, descriptor: handle.fileDescriptor)
        let after = try #require(
            FLACMetadata(rewrite.leading + before.bytes[rewrite.kept] + rewrite.trailing))
        let second = try open(after.bytes, "after.flac")
        #expect(
            try TagState(descriptor: second.fileDescriptor).firstDifference(after: edit, of: state) == nil)
        #expect(after.otherBlocks == before.otherBlocks && after.rest == before.rest)
        // The padding is behind the other blocks, such that the size stays the same.
        #expect(after.blocks.last?.type == 1 && after.bytes.count == before.bytes.count)
        let expected: [[UInt8]] = [
            Array("Title=New".utf8), comments[1], Array("ARTIST=C".utf8), comments[3], comments[4],
            Array("ALBUM ARTIST=U".utf8), comments[7], Array("ALBUMARTIST=U".utf8), [], comments[11],
            comments[12], Array("COMPOSER=Me".utf8),
        ]
        #expect(after.blocks.first { $0.type == 4 } == FLACMetadata.commentBlock(expected))
    }

    @Test("Several blocks of comments are kept; edited fields are in the first only")
    func severalBlocks() throws {
        let second = FLACMetadata.commentBlock(["TITLE=Second", "GENRE=Jazz", "X=y", "LYRICS=two"])
        let bytes = try file(["ALBUM=First", "LYRICS=one"], [second])
        #expect(try tags(bytes).title == "Second")
        let result = try rewritten(bytes) {
            $0.title = .set("New")
            $0.lyrics.replaced = [1: LyricsEdit.Item(comment: "2")]
            $0.lyrics.removed = [0]
            $0.lyrics.added = [LyricsEdit.Item(comment: "3")]
        }
        #expect(
            result.blocks.filter { $0.type == 4 }.map { FLACMetadata.comments(of: $0.content) } == [
                ["ALBUM=First", "TITLE=New", "LYRICS=3"], ["GENRE=Jazz", "X=y", "LYRICS=2"],
            ])
        #expect(
            try rewritten(bytes) { $0.genre = .remove }.comments.contains { $0.hasPrefix("GENRE") } == false)
    }

    @Test("A file without comments gets a block behind STREAMINFO; one without changes stays as it is")
    func noComments() throws {
        let bytes = try file(nil, [FLACMetadata.Block(2, [1, 2, 3, 4])])
        let result = try rewritten(bytes) { $0.title = .set("x") }
        #expect(result.blocks.map(\.type) == [0, 4, 2, 1] && result.comments == ["TITLE=x"])
        #expect(try rewritten(bytes) { $0.title = .remove }.bytes == bytes)
        let unchanged = try file(
            ["ARTIST=A", "ARTIST=B", "DATE=2003-05-01", "TRACKNUMBER=03", "TOTALTRACKS=09"],
            [FLACMetadata.Block(1, [0, 0]), FLACMetadata.Block(1, [])])
        let same = try rewritten(unchanged) {
            $0.artist = .set("A; B")
            $0.year = .set(2003)
            $0.trackNumber = .set(3)
            $0.trackTotal = .set(9)
            $0.cover = .remove
        }
        #expect(same.bytes == unchanged)
    }

    @Test(
        "Numbers and totals in all forms",
        arguments: [
            (["TRACKNUMBER=03/09"], 3, 10, ["TRACKNUMBER=03", "TRACKTOTAL=10"]),
            (["TRACKNUMBER=03", "TRACKTOTAL=09"], 4, 9, ["TRACKNUMBER=4", "TRACKTOTAL=09"]),
            (
                ["tracktotal=9", "TOTALTRACKS=9"], 4, 10,
                ["tracktotal=10", "TOTALTRACKS=10", "TRACKNUMBER=4"]
            ),
            (["TRACKNUMBER=3", "TRACKNUMBER=5", "TRACKTOTAL=9"], 3, nil, ["TRACKNUMBER=3"]),
            (["TRACKNUMBER=3/9"], nil, 9, ["TRACKTOTAL=9"]),
            (["TRACKNUMBER=3/9", "TRACKTOTAL=9"], nil, nil, []),
        ] as [([String], Int?, Int?, [String])])
    func numbers(before: [String], number: Int?, total: Int?, after: [String]) throws {
        let result = try rewritten(try file(before)) {
            $0.trackNumber = number.map { .set($0) } ?? .remove
            $0.trackTotal = total.map { .set($0) } ?? .remove
        }
        #expect(result.comments == after)
        #expect(try tags(result.bytes).track == NumberInSet(number: number, total: total))
    }

    @Test("Dates and comments under other names")
    func otherNames() throws {
        let bytes = try file(["YEAR=1999", "ORIGINALDATE=1990", "DESCRIPTION=old"])
        let set = try rewritten(bytes) {
            $0.year = .set(2004)
            $0.comment = .set("new")
        }
        #expect(set.comments == ["YEAR=2004", "ORIGINALDATE=1990", "DESCRIPTION=new"])
        let both = try file(["YEAR=1999", "DATE=1999-01-02", "DESCRIPTION=what", "COMMENT=old"])
        let result = try rewritten(both) {
            $0.year = .set(2004)
            $0.comment = .set("new")
        }
        #expect(result.comments == ["YEAR=2004", "DATE=2004", "DESCRIPTION=what", "COMMENT=new"])
        let removed = try rewritten(both) {
            $0.year = .remove
            $0.comment = .remove
        }
        #expect(removed.comments.isEmpty)
    }

    @Test("The front cover is added, replaced and removed; other pictures stay")
    func covers() throws {
        let back = FLACMetadata.pictureBlock(type: 4, [1, 2])
        let bytes = try file(["TITLE=t"], [back, FLACMetadata.Block(1, [UInt8](repeating: 0, count: 200))])
        let added = try rewritten(bytes) { $0.cover = .set(EmbeddedCover(data: Self.jpeg, mimeType: "")) }
        let path = try folder.write(added.bytes, as: "covered.flac")
        try ProcessRun.run(
            "metaflac", ["--block-number=3", "--export-picture-to=\(folder.file("cover"))", path])
        #expect(try folder.read("cover") == Self.jpeg && added.blocks[2] == back)
        let list = try ProcessRun.run("metaflac", ["--list", "--block-number=3", path]).text
        #expect(list.contains("type: 3 (Cover (front))") && list.contains("MIME type: image/jpeg"))

        let twice = try file(
            ["TITLE=t"],
            [FLACMetadata.pictureBlock(type: 3, Self.jpeg), back, FLACMetadata.pictureBlock(type: 3, [5])])
        let replaced = try rewritten(twice) { $0.cover = .set(EmbeddedCover(data: Self.png, mimeType: "")) }
        #expect(replaced.blocks.map(\.type) == [0, 4, 6, 6, 1] && replaced.blocks[3] == back)
        #expect(replaced.blocks[2].content.suffix(Self.png.count).elementsEqual(Self.png))
        #expect(try rewritten(twice) { $0.cover = .remove }.otherBlocks.dropFirst() == [back])
        // Without a front cover, the first picture of type "other" counts as such.
        let other = try file(
            nil, [back, FLACMetadata.pictureBlock(type: 0, [7]), FLACMetadata.pictureBlock(type: 0, [8])])
        let marked = try rewritten(other) { $0.cover = .set(EmbeddedCover(data: Self.png, mimeType: "")) }
        #expect(
            marked.otherBlocks.count == 4 && marked.otherBlocks[3] == FLACMetadata.pictureBlock(type: 0, [8]))
        let unmarked = try rewritten(other) { $0.cover = .remove }
        #expect(unmarked.otherBlocks.count == 3)
        // The same cover again changes nothing.
        let again = try rewritten(added.bytes) {
            $0.cover = .set(EmbeddedCover(data: Self.jpeg, mimeType: ""))
        }
        #expect(again.bytes == added.bytes)
    }

    @Test("A cover beyond the limit of a block is rejected with the field; the largest one fits")
    func largeCovers() throws {
        let bytes = try file(["TITLE=t"])
        // A block has at most 2^24 - 1 bytes; 32 for numbers, and the type "image/png".
        let limit = (1 << 24) - 1 - 32 - 9
        let largest = Self.png + [UInt8](repeating: 0x55, count: limit - Self.png.count)
        let result = try rewritten(bytes) { $0.cover = .set(EmbeddedCover(data: largest, mimeType: "")) }
        #expect(result.blocks.map(\.content.count).max() == (1 << 24) - 1)
        let error = #expect(throws: TaggingError.self) {
            try rewritten(bytes) { $0.cover = .set(EmbeddedCover(data: largest + [0], mimeType: "")) }
        }
        #expect(error?.code == .invalidValue && error?.field == .cover)
        #expect(error?.message.contains("FLAC") == true)
    }

    @Test("ID3v2 tags in front are kept, and what they state of an edited field is updated")
    func leadingID3() throws {
        let texts =
            TagBytes.text("TIT2", "old") + TagBytes.text("TPE1", "who") + TagBytes.text("TMOO", "calm")
        let id3 = TagBytes.id3v2(
            texts + TagBytes.picture(Self.png) + TagBytes.frame("USLT", Array("\0eng\0la".utf8)))
        let foreign = Array("ID3".utf8) + [9, 0, 0, 0, 0, 0, 3, 1, 2, 3]
        let bytes = id3 + foreign + (try file(["ALBUM=a", "LYRICS=words"]))
        #expect(try tags(bytes).title == "old" && tags(bytes).hasCover)
        let result = try rewritten(bytes) {
            $0.title = .set("new")
            $0.artist = .remove
            $0.genre = .set("Jazz")
            $0.cover = .set(EmbeddedCover(data: Self.jpeg, mimeType: ""))
            $0.lyrics.replaced = [
                1: LyricsEdit.Item(kind: .plainFrame, content: [3, 1], olderContent: [0, 1])
            ]
            $0.lyrics.added = [LyricsEdit.Item(comment: "more")]
        }
        #expect(result.comments == ["ALBUM=a", "LYRICS=words", "TITLE=new", "GENRE=Jazz", "LYRICS=more"])
        #expect(result.front.suffix(foreign.count).elementsEqual(foreign))
        // The tag alone, as a reader of MP3 files sees it.
        let kept = try tags(Array(result.front.dropLast(foreign.count)) + TagBytes.audio)
        #expect(kept.title == "new" && kept.artist == nil && kept.mood == "calm" && kept.genre == nil)
        let removed = try rewritten(bytes) {
            $0.title = .remove
            $0.cover = .remove
            $0.lyrics.removed = [0, 1]
        }
        #expect(try tags(removed.bytes).title == nil && tags(removed.bytes).artist == "who")
        // An edit of other fields keeps the tag's bytes.
        #expect(try rewritten(bytes) { $0.album = .set("b") }.front == id3 + foreign)
    }

    @Test("APE and ID3v1 tags at the end are updated")
    func trailing() throws {
        let ape = TagBytes.ape([
            TagBytes.apeItem("Title", Array("old".utf8)), TagBytes.apeItem("Mood", Array("blue".utf8)),
        ])
        let id3v1 = TagBytes.id3v1(title: Array("old".utf8), artist: Array("who".utf8), track: 4)
        let bytes = try file(["ALBUM=a"]) + ape + id3v1
        let result = try rewritten(bytes) {
            $0.title = .set("new")
            $0.artist = .remove
            $0.trackNumber = .set(5)
        }
        #expect(result.comments == ["ALBUM=a", "TITLE=new", "TRACKNUMBER=5"])
        let newAPE = TagBytes.ape([
            TagBytes.apeItem("Title", Array("new".utf8)), TagBytes.apeItem("Mood", Array("blue".utf8)),
        ])
        #expect(
            result.rest.suffix(newAPE.count + 128).elementsEqual(
                newAPE + TagBytes.id3v1(title: Array("new".utf8), track: 5)))
        #expect(try rewritten(bytes) { $0.title = .remove }.comments == ["ALBUM=a"])
    }

    @Test("Padding is used if the change fits, and made otherwise")
    func padding() throws {
        let room = FLACMetadata.Block(1, [UInt8](repeating: 0, count: 40))
        let bytes = try file(["TITLE=t"], [room])
        let sizes = try [0, 1, 40, 41, 43, 44, 45].map { count in
            try rewritten(bytes) { $0.title = .set("t" + String(repeating: "x", count: count)) }
        }
        #expect(
            sizes.map { $0.blocks.filter { $0.type == 1 }.map(\.content.count) } == [
                [40], [39], [0], [8192], [8192], [], [8192],
            ])
        #expect(sizes[1].bytes.count == bytes.count && sizes[5].bytes.count == bytes.count)
        let large = FLACMetadata.Block(1, [UInt8](repeating: 0, count: 1 << 20))
        let shrunk = try rewritten(try file(["TITLE=t"], [large])) { $0.title = .set("u") }
        #expect(shrunk.blocks.last?.content.count == 8192)
    }

    @Test(
        "Metadata that cannot be written without loss is rejected",
        arguments: ["cut", "comments", "no end", "forbidden", "no STREAMINFO", "comment too large"])
    func damaged(kind: String) throws {
        var metadata = try #require(FLACMetadata(try file(["TITLE=t"])))
        var bytes = metadata.bytes
        switch kind {
        case "cut": bytes = Array(bytes.prefix(bytes.count - metadata.rest.count - 2))
        case "comments": metadata.blocks[1].content[10] = 9
        case "no end":
            // The header of the second and last block.
            bytes[42] &= 0x7F
            bytes = Array(bytes.prefix(bytes.count - metadata.rest.count))
        case "forbidden": metadata.blocks.append(FLACMetadata.Block(127, [1]))
        case "no STREAMINFO": metadata.blocks.removeFirst()
        default:
            metadata.blocks[1] = FLACMetadata.commentBlock([
                "X=" + String(repeating: "x", count: (1 << 24) - 60)
            ])
        }
        if ["cut", "no end"].contains(kind) == false { bytes = metadata.bytes }
        let handle = try open(bytes, "damaged.flac")
        var edit = TagEdit()
        edit.title = .set(String(repeating: "long", count: 100))
        let error = #expect(throws: TaggingError.self) {
            try TagRewrite(of: edit, tags: TrackTags(), descriptor: handle.fileDescriptor)
        }
        #expect(error?.code == .unsupportedTag)
    }

    @Test("Lyrics are not stored in a form that the file's format does not have")
    func wrongLyrics() throws {
        func code(_ bytes: [UInt8], _ change: (inout LyricsEdit) -> Void) throws -> TaggingError.Code? {
            let handle = try open(bytes, "lyrics")
            var edit = TagEdit()
            change(&edit.lyrics)
            do throws(TaggingError) {
                _ = try TagRewrite(of: edit, tags: TrackTags(), descriptor: handle.fileDescriptor)
                return nil
            } catch {
                return error.code
            }
        }
        let frame = LyricsEdit.Item(kind: .plainFrame, content: [3], olderContent: [0])
        let flac = try file(["LYRICS=la"])
        #expect(try code(flac) { $0.added = [frame] } == .unsupportedTag)
        #expect(try code(flac) { $0.replaced = [0: frame] } == .unsupportedTag)
        let mp3 = TagBytes.id3v2(TagBytes.frame("USLT", [3, 0])) + TagBytes.audio
        let comment = LyricsEdit.Item(comment: "la")
        #expect(try code(mp3) { $0.added = [comment] } == .unsupportedTag)
        #expect(try code(mp3) { $0.replaced = [0: comment] } == .unsupportedTag)
    }

    /// Mutation *n* depends only on *n*. `FUZZ_MUTATIONS` sets how many are tried.
    @Test("Damage anywhere leads to a clear error, or to the file's own audio with new tags")
    func damage() throws {
        let count = ProcessInfo.processInfo.environment["FUZZ_MUTATIONS"].flatMap(Int.init) ?? 3000
        let original =
            TagBytes.id3v2(TagBytes.text("TIT2", "old"))
            + (try file(
                ["TITLE=old", "ARTIST=a", "LYRICS=la", "COMMENT=c"],
                [
                    FLACMetadata.pictureBlock(type: 3, Self.png), FLACMetadata.Block(1, [0, 0, 0, 0, 0]),
                    FLACMetadata.commentBlock(["TITLE=2"]),
                ])) + TagBytes.ape([TagBytes.apeItem("Title", Array("old".utf8))])
            + TagBytes.id3v1(title: Array("old".utf8))
        let end = try #require(FLACMetadata(original)).rest
        let metadataEnd = original.count - end.count
        var edit = TagEdit()
        edit.title = .set("new")
        edit.comment = .remove
        edit.cover = .set(EmbeddedCover(data: Self.jpeg, mimeType: ""))
        edit.lyrics.added = [LyricsEdit.Item(comment: "lo")]
        var accepted = 0
        for n in 0..<count {
            var random = SeededGenerator(seed: UInt64(n))
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<min(metadataEnd, bytes.count), using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: bytes.removeSubrange(place..<min(bytes.count, place + 7))
                case 1: bytes.insert(contentsOf: [0, 0xFF, 4], at: place)
                case 2: bytes[bytes.count - 1 - place % 300] = UInt8.random(in: 0...255, using: &random)
                case 3: bytes = Array(bytes.prefix(max(1, bytes.count - place)))
                default:
                    bytes[place] =
                        [0, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
                        .randomElement(using: &random) ?? 0
                }
            }
            let handle = try open(bytes, "fuzz.flac")
            do {
                let state = try TagState(descriptor: handle.fileDescriptor)
                let rewrite = try TagRewrite(of: edit, tags: state.tags, descriptor: handle.fileDescriptor)
                #expect(rewrite.kept.upperBound <= bytes.count)
                guard rewrite.container == .flac else { continue }
                accepted += 1
                let result = try open(
                    rewrite.leading + bytes[rewrite.kept] + rewrite.trailing, "fuzzed.flac")
                let after = try TagState(descriptor: result.fileDescriptor)
                let difference = after.firstDifference(after: try edit.checked(), of: state)
                #expect(difference == nil, "mutation \(n)")
            } catch let error as TaggingError {
                #expect(error.code == .unsupportedTag, "mutation \(n)")
            }
        }
        // If most files were rejected, the test would check little.
        #expect(accepted > count / 4)
    }
}
