import Foundation
import TestSupport
import Testing

@testable import Tagging

/// Checks how edits change the comments of Ogg files; mutagen, vorbiscomment, opusinfo and ffprobe verify the results.
@Suite("Ogg tag rewrites")
struct OggRewriteTests {
    private static let sounds = Result {
        let sound = IntegerSound.tones(frameCount: 200_000, sampleRate: 48_000)
        return ["opus": try sound.opus(), "ogg": try sound.vorbis()]
    }
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static func sound(_ suffix: String) throws -> [UInt8] { try #require(try sounds.get()[suffix]) }

    /// Applies an edit, reads it back, and checks that nothing but the comments changed. Pages are not renumbered here.
    private func rewritten(
        _ bytes: [UInt8], _ suffix: String, _ change: (inout TagEdit) -> Void
    ) throws -> (bytes: [UInt8], rewrite: TagRewrite) {
        var edit = TagEdit()
        change(&edit)
        let path = try folder.write(bytes, as: "file.\(suffix)")
        let handle = try #require(FileHandle(forReadingAtPath: path))
        let state = try TagState(descriptor: handle.fileDescriptor)
        let rewrite = try TagRewrite(of: edit, tags: state.tags, descriptor: handle.fileDescriptor)
        let result = rewrite.leading + bytes[rewrite.kept] + rewrite.trailing
        #expect(rewrite.container == .ogg && rewrite.byteCount == result.count)
        #expect(rewrite.isChanged == (result != bytes))
        let after = try folder.write(result, as: "after.\(suffix)")
        let second = try #require(FileHandle(forReadingAtPath: after))
        let difference = try TagState(descriptor: second.fileDescriptor)
            .firstDifference(after: try edit.checked(), of: state)
        #expect(difference == nil)
        let (old, new) = (try #require(OggComments(bytes)), try #require(OggComments(result)))
        #expect(new.audioPackets == old.audioPackets && new.headers[0] == old.headers[0])
        #expect(new.headers.count == 2 || new.headers[2] == old.headers[2])
        #expect(new.comments.vendor == old.comments.vendor)
        if rewrite.renumbering == nil, Self.isNumbered(bytes) {
            #expect(try OggReference.complaints(about: after) == [])
        }
        return (result, rewrite)
    }

    /// Whether pages follow each other: the rewrites that need other numbers do not write them here.
    private static func isNumbered(_ bytes: [UInt8]) -> Bool {
        let numbers = OggTestPage.pages(of: bytes).map(\.sequence)
        return numbers == (0..<UInt32(numbers.count)).map { $0 }
    }

    private func tags(_ bytes: [UInt8]) throws -> TrackTags {
        try TrackTags.read(from: folder.write(bytes, as: "read.ogg"))
    }

    /// Returns all comments as mutagen reads them.
    private func mutagen(_ bytes: [UInt8]) async throws -> [[String]] {
        let code = """
            import sys, json
            from mutagen import File
            print(json.dumps([list(each) for each in File(sys.argv[1]).tags]))
            """
        let run = try await PythonTools.run(code, [try folder.write(bytes, as: "mutagen.ogg")])
        return try JSONDecoder().decode([[String]].self, from: Data(run.utf8))
    }

    @Test("mutagen reads all fields as they were set, with the usual names", arguments: ["opus", "ogg"])
    func allFields(suffix: String) async throws {
        let gains = try [-7.034, 1.5].map { try #require(ReplayGainEdit.Gain(dB: $0)) }
        let peak = try #require(ReplayGainEdit.Peak(0.9876543))
        let before = try await mutagen(try Self.sound(suffix))
        let result = try rewritten(try Self.sound(suffix), suffix) {
            $0.title = .set("Tïtle 🎺")
            $0.artist = .set("Artist")
            $0.albumArtist = .set("Various = all")
            $0.trackNumber = .set(3)
            $0.trackTotal = .set(12)
            $0.year = .set(973)
            $0.genre = .set("17")
            $0.comment = .set("one\ntwo")
            $0.isCompilation = .set(true)
            $0.bpm = .set(128)
            $0.replayGain.trackGain = .set(gains[0])
            $0.replayGain.trackPeak = .set(peak)
            $0.replayGain.albumGain = .set(gains[1])
            $0.lyrics.added = [LyricsEdit.Item(comment: "[00:01.00]La la\n[00:02.00]Lá")]
        }
        // (-7.03 - 5) · 256 and (1.5 - 5) · 256.
        let replayGain =
            suffix == "opus"
            ? [
                ["R128_TRACK_GAIN", "-3080"], ["REPLAYGAIN_TRACK_PEAK", "0.987654"],
                ["R128_ALBUM_GAIN", "-896"],
            ]
            : [
                ["REPLAYGAIN_TRACK_GAIN", "-7.03 dB"], ["REPLAYGAIN_TRACK_PEAK", "0.987654"],
                ["REPLAYGAIN_ALBUM_GAIN", "1.50 dB"],
            ]
        let expected =
            before + [
                ["TITLE", "Tïtle 🎺"], ["ARTIST", "Artist"], ["ALBUMARTIST", "Various = all"],
                ["TRACKNUMBER", "3"], ["TRACKTOTAL", "12"], ["DATE", "0973"], ["GENRE", "17"],
                ["COMMENT", "one\ntwo"], ["COMPILATION", "1"], ["BPM", "128"],
            ] + replayGain + [["LYRICS", "[00:01.00]La la\n[00:02.00]Lá"]]
        #expect(try await mutagen(result.bytes) == expected)
        #expect(result.rewrite.renumbering == nil)
        let removed = try rewritten(result.bytes, suffix) {
            $0.title = .remove
            $0.comment = .remove
            $0.replayGain.trackGain = .remove
            $0.lyrics.removed = [0]
        }
        let gone = ["TITLE", "COMMENT", "LYRICS", replayGain[0][0]]
        #expect(try await mutagen(removed.bytes) == expected.filter { !gone.contains($0[0]) })
    }

    @Test(
        "Values written by mutagen are read, and comments of other names keep their bytes",
        arguments: ["opus", "ogg"])
    func foreign(suffix: String) async throws {
        let path = try folder.write(try Self.sound(suffix), as: "foreign.\(suffix)")
        let code = """
            import sys, base64
            from mutagen import File
            from mutagen.flac import Picture
            file = File(sys.argv[1])
            picture = Picture(); picture.type = 3; picture.mime = 'image/jpeg'; picture.data = b'\\xff\\xd8abc' * 30
            file['title'] = 'Größe'; file['artist'] = ['Anna', 'Bert']; file['tracknumber'] = '3'
            file['replaygain_track_gain'] = '-3.50 dB'; file['r128_track_gain'] = '-512'
            file['custom'] = ['x', 'Y']; file['lyrics'] = 'La'
            file['metadata_block_picture'] = base64.b64encode(picture.write()).decode()
            file.save()
            """
        _ = try await PythonTools.run(code, [path])
        let bytes = try folder.read("foreign.\(suffix)")
        let found = try tags(bytes)
        #expect(found.title == "Größe" && found.artist == "Anna; Bert" && found.track.number == 3)
        #expect(found.replayGain.trackGainDB == (suffix == "opus" ? 3 : -3.5))
        #expect(found.hasCover && found.kinds == .vorbis)
        let cover = try #require(try EmbeddedCover.read(from: path))
        #expect(cover.mimeType == "image/jpeg" && cover.data.count == 150)
        let old = try #require(OggComments(bytes)).comments
        let gain = try #require(ReplayGainEdit.Gain(dB: -1))
        let result = try rewritten(bytes, suffix) {
            $0.title = .set("New")
            $0.replayGain.trackGain = .set(gain)
        }
        let new = try #require(OggComments(result.bytes)).comments
        let edited = ["title", "replaygain_track_gain", "r128_track_gain"]
        func others(_ list: [[UInt8]]) -> [[UInt8]] {
            list.filter { comment in
                !edited.contains(String(decoding: comment.prefix { $0 != 0x3D }, as: UTF8.self).lowercased())
            }
        }
        #expect(others(new.list) == others(old.list))
        #expect(try tags(result.bytes).replayGain.trackGainDB == -1)
    }

    @Test("ReplayGain comments of Opus are read without R128 ones; values out of range are ignored")
    func opusGains() throws {
        for (comments, expected) in [
            (["REPLAYGAIN_TRACK_GAIN=-3.5 dB"], -3.5), (["R128_TRACK_GAIN=0"], 5),
            (["R128_TRACK_GAIN=-1280", "REPLAYGAIN_TRACK_GAIN=-9 dB"], 0), (["R128_TRACK_GAIN=40000"], nil),
            (["R128_TRACK_GAIN=x"], nil), (["R128_TRACK_GAIN=32767"], 133),
        ] as [([String], Double?)] {
            let sound = IntegerSound.tones(frameCount: 5_000, sampleRate: 48_000)
            let bytes = try sound.opus(comments.flatMap { ["--comment", $0] })
            #expect(try tags(bytes).replayGain.trackGainDB == expected, "\(comments)")
        }
        // In Vorbis, R128 is a comment like any other.
        let vorbis = try IntegerSound.tones(frameCount: 5_000).vorbis(["-c", "R128_TRACK_GAIN=0"])
        #expect(try tags(vorbis).replayGain.trackGainDB == nil)
    }

    @Test(
        "Covers are set, replaced and removed; the number of pages stays if it can",
        arguments: ["opus", "ogg"])
    func covers(suffix: String) async throws {
        let original = try Self.sound(suffix)
        let small = Self.jpeg + [UInt8](repeating: 5, count: 9_000)
        let large = Self.jpeg + [UInt8](repeating: 6, count: 150_000)
        let one = try rewritten(original, suffix) {
            $0.cover = .set(EmbeddedCover(data: small, mimeType: ""))
        }
        #expect(one.rewrite.renumbering == nil)
        let pages = try #require(OggComments(one.bytes)).headerPageCount
        let two = try rewritten(one.bytes, suffix) {
            $0.cover = .set(EmbeddedCover(data: large, mimeType: ""))
        }
        // 200,000 bytes need four pages.
        #expect(
            try #require(OggComments(two.bytes)).headerPageCount > pages && two.rewrite.renumbering != nil)
        #expect(
            two.rewrite.renumbering.map { Int($0.shift) + pages } == OggComments(two.bytes)?.headerPageCount)
        let path = try folder.write(two.bytes, as: "cover.\(suffix)")
        #expect(try EmbeddedCover.read(from: path)?.data == large)
        let three = try rewritten(two.bytes, suffix) { $0.cover = .remove }
        #expect(three.rewrite.renumbering == nil)
        #expect(OggComments(three.bytes)?.headerPageCount == OggComments(two.bytes)?.headerPageCount)
        #expect(try await mutagen(three.bytes).allSatisfy { $0[0].lowercased() != "metadata_block_picture" })
    }

    @Test("An old COVERART is read, and replaced by a block")
    func oldCovers() throws {
        let old = Data(Self.jpeg).base64EncodedString()
        let bytes = try IntegerSound.tones(frameCount: 5_000).vorbis([
            "-c", "COVERARTMIME=image/jpeg", "-c", "COVERART=\(old)", "-c", "X=y",
        ])
        let path = try folder.write(bytes, as: "old.ogg")
        #expect(try EmbeddedCover.read(from: path)?.data == Self.jpeg)
        let new = Self.jpeg + [9]
        let result = try rewritten(bytes, "ogg") { $0.cover = .set(EmbeddedCover(data: new, mimeType: "")) }
        let keys = try #require(OggComments(result.bytes)).comments.list.map {
            String(decoding: $0.prefix { $0 != 0x3D }, as: UTF8.self)
        }
        #expect(keys.suffix(2) == ["METADATA_BLOCK_PICTURE", "X"])
    }

    @Test("Data behind the comments is kept, padding is not needed", arguments: ["opus", "ogg"])
    func behindComments(suffix: String) throws {
        for (rest, isKept) in [([0, 0, 0, 0], false), ([1, 2, 3], true)] as [([UInt8], Bool)] {
            var pages = OggTestPage.pages(of: try Self.sound(suffix))
            let headers = try #require(OggComments(OggTestPage.file(pages)))
            let packets = [headers.headers[1] + rest] + headers.headers.dropFirst(2)
            pages.replaceSubrange(1..<headers.headerPageCount, with: [Self.page(packets, like: pages[1])])
            let numbered = OggTestPage.numbered(pages, serial: 3)
            let before = try #require(OggComments(OggTestPage.file(numbered))).comments.rest
            let result = try rewritten(OggTestPage.file(numbered), suffix) { $0.title = .set("x") }
            let behind = try #require(OggComments(result.bytes)).comments.rest
            #expect(behind == (isKept ? before : suffix == "ogg" ? [1] : []))
        }
    }

    private static func page(_ packets: [[UInt8]], like page: OggTestPage) -> OggTestPage {
        var page = page
        page.segments = packets.flatMap {
            [UInt8](repeating: 255, count: $0.count / 255) + [UInt8($0.count % 255)]
        }
        page.body = packets.flatMap { $0 }
        return page
    }

    @Test("Damaged, truncated and shared headers are read as far as they are valid, and not edited")
    func damage() throws {
        for suffix in ["opus", "ogg"] {
            let bytes = try Self.sound(suffix)
            let end = 5_000
            for count in stride(from: 0, to: end, by: 37) { _ = try tags(Array(bytes.prefix(count))) }
            var random = SeededGenerator(seed: 9)
            for _ in 0..<500 {
                var pages = OggTestPage.pages(of: bytes)
                for _ in 0..<3 {
                    let place = Int.random(in: 0..<3, using: &random)
                    let count = min(pages[place].body.count, 200)
                    pages[place].body[Int.random(in: 0..<count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                _ = try tags(OggTestPage.file(pages))
            }
            // A wrong checksum in the comments.
            var damaged = bytes
            damaged[OggTestPage.pages(of: bytes)[0].bytes.count + 40] ^= 1
            let path = try folder.write(damaged, as: "damaged.\(suffix)")
            let handle = try #require(FileHandle(forReadingAtPath: path))
            var edit = TagEdit()
            edit.title = .set("x")
            let error = #expect(throws: TaggingError.self) {
                try TagRewrite(of: edit, tags: TrackTags(), descriptor: handle.fileDescriptor)
            }
            #expect(error?.code == .unsupportedTag)
        }
    }
}
