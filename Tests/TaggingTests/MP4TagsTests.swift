import Foundation
import TestSupport
import Testing

@testable import Tagging

/// Tags of MP4 files: what mutagen writes is read, and mutagen reads what edits write; ffmpeg finds the same audio.
@Suite("MP4 tags")
struct MP4TagsTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 9]
    private static let options: [[String]] = [
        [], ["-movflags", "+faststart"], ["-c:a", "alac", "-movflags", "+faststart"],
        ["-movflags", "frag_keyframe+delay_moov+default_base_moof+skip_trailer", "-frag_duration", "300000"],
    ]

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func file(_ options: [String]) throws -> [UInt8] {
        try IntegerSound.tones(frameCount: 60_000).mp4(["-c:a", "aac"] + options)
    }

    private func tags(_ bytes: [UInt8]) throws -> TrackTags {
        try TrackTags.read(from: folder.write(bytes, as: UUID().uuidString))
    }

    /// The packets as ffmpeg finds them, as a sum.
    private func packets(_ bytes: [UInt8]) throws -> String {
        let path = try folder.write(bytes, as: "packets.m4a")
        return try ProcessRun.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "streamhash", "-"]
        ).text
    }

    /// Applies an edit, reads it back, and checks that the audio is the same.
    private func rewritten(_ bytes: [UInt8], _ change: (inout TagEdit) -> Void) throws -> [UInt8] {
        var edit = TagEdit()
        change(&edit)
        let path = try folder.write(bytes, as: "file.m4a")
        let handle = try #require(FileHandle(forReadingAtPath: path))
        let state = try TagState(descriptor: handle.fileDescriptor)
        let rewrite = try TagRewrite(of: edit, tags: state.tags, descriptor: handle.fileDescriptor)
        let result = rewrite.leading + bytes[rewrite.kept] + rewrite.trailing
        #expect(rewrite.container == .mp4 && rewrite.byteCount == result.count)
        #expect(rewrite.isChanged == (result != bytes))
        let second = try #require(FileHandle(forReadingAtPath: folder.write(result, as: "after.m4a")))
        let after = try TagState(descriptor: second.fileDescriptor)
        #expect(after.firstDifference(after: try edit.checked(), of: state) == nil)
        #expect(try packets(result) == packets(bytes))
        return result
    }

    /// Returns all items as mutagen reads them.
    private func mutagen(_ bytes: [UInt8]) async throws -> [String: String] {
        let code = """
            import sys, json
            from mutagen.mp4 import MP4
            tags = MP4(sys.argv[1]).tags or {}
            def text(value):
                if isinstance(value, list): return '|'.join(map(text, value))
                if isinstance(value, bytes): return value.hex() if not value.isascii() else value.decode()
                return str(value)
            print(json.dumps({key: text(value) for key, value in tags.items()}))
            """
        let run = try await PythonTools.run(code, [try folder.write(bytes, as: "mutagen.m4a")])
        return try JSONDecoder().decode([String: String].self, from: Data(run.utf8))
    }

    /// Lets mutagen set items.
    private func tagged(_ bytes: [UInt8], _ statements: String) async throws -> [UInt8] {
        let path = try folder.write(bytes, as: "tagged.m4a")
        let code = """
            import sys
            from mutagen.mp4 import MP4, MP4Cover, MP4FreeForm
            file = MP4(sys.argv[1])
            if file.tags is None: file.add_tags()
            t = file.tags
            \(statements)
            file.save()
            """
        _ = try await PythonTools.run(code, [path])
        return try folder.read("tagged.m4a")
    }

    private static let statements = """
        t['\\xa9nam'] = ['Größe']; t['\\xa9ART'] = ['Anna', 'Bert']; t['\\xa9alb'] = ['Album']; t['aART'] = ['Trio']
        t['trkn'] = [(3, 9)]; t['disk'] = [(1, 2)]; t['\\xa9day'] = ['2001-02-03']; t['\\xa9gen'] = ['Jazz']
        t['\\xa9wrt'] = ['Clara']; t['\\xa9cmt'] = ['A note']; t['cpil'] = True; t['tmpo'] = [121]; t['rtng'] = [1]
        t['sonm'] = ['Groesse']; t['\\xa9lyr'] = ['La la']; t['\\xa9too'] = ['Tool']; t['pgap'] = True
        free = lambda name, value: t.__setitem__('----:com.apple.iTunes:' + name, [MP4FreeForm(value.encode())])
        free('replaygain_track_gain', '-3.50 dB'); free('replaygain_album_peak', '0.5'); free('ISRC', 'DEA123456789')
        free('MusicBrainz Track Id', 'rec'); free('MusicBrainz Album Id', 'rel'); free('initialkey', 'F#m')
        free('LYRICIST', 'Lyra'); free('CONDUCTOR', 'Karl'); free('REMIXER', 'Rex'); free('MOOD', 'blue'); free('OTHER', 'kept')
        t['covr'] = [MP4Cover(bytes([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]), MP4Cover.FORMAT_JPEG)]
        """

    @Test("All fields that mutagen writes are read", arguments: options.indices)
    func fields(index: Int) async throws {
        let tags = try tags(try await tagged(file(Self.options[index]), Self.statements))
        #expect(
            tags.title == "Größe" && tags.artist == "Anna; Bert" && tags.album == "Album"
                && tags.albumArtist == "Trio")
        #expect(
            tags.track.number == 3 && tags.track.total == 9 && tags.disc.number == 1 && tags.disc.total == 2)
        #expect(
            tags.year == 2001 && tags.genre == "Jazz" && tags.composer == "Clara" && tags.comment == "A note")
        #expect(tags.isCompilation && tags.bpm == 121 && tags.advisory == 1 && tags.titleSort == "Groesse")
        #expect(
            tags.replayGain.trackGainDB == -3.5 && tags.replayGain.albumPeak == 0.5
                && tags.isrc == "DEA123456789")
        #expect(
            tags.musicBrainzTrackID == "rec" && tags.musicBrainzAlbumID == "rel" && tags.initialKey == "F#m")
        #expect(
            tags.lyricist == "Lyra" && tags.conductor == "Karl" && tags.remixer == "Rex"
                && tags.mood == "blue")
        #expect(tags.hasCover && tags.kinds == .mp4)
    }

    private func set(_ edit: inout TagEdit, cover: [UInt8], mimeType: String) throws {
        edit.title = .set("Tïtle 🎺")
        edit.artist = .set("Artist")
        edit.album = .set("Album")
        edit.albumArtist = .set("Various")
        edit.trackNumber = .set(4)
        edit.trackTotal = .set(12)
        edit.discNumber = .set(2)
        edit.year = .set(1999)
        edit.genre = .set("Pop")
        edit.composer = .set("Composer")
        edit.comment = .set("One\ntwo")
        edit.isCompilation = .set(true)
        edit.bpm = .set(99)
        edit.initialKey = .set("Am")
        edit.replayGain.trackGain = .set(try #require(ReplayGainEdit.Gain(dB: -7.034)))
        edit.cover = .set(EmbeddedCover(data: cover, mimeType: mimeType))
        edit.lyrics.added = [LyricsEdit.Item(comment: "[00:01.00]Line")]
    }

    @Test(
        "mutagen reads all fields as they were set, in files with and without tags",
        arguments: options.indices)
    func edits(index: Int) async throws {
        let plain = try file(Self.options[index])
        for bytes in [plain, try await tagged(plain, Self.statements)] {
            var failure: (any Error)?
            let cover = Self.png + [UInt8](repeating: 7, count: bytes == plain ? 10 : 90_000)
            let result = try rewritten(bytes) { edit in
                do {
                    try set(&edit, cover: cover, mimeType: "image/png")
                    // Those of mutagen's file stay, and are replaced in its place.
                    if bytes != plain {
                        edit.lyrics.replaced = [0: edit.lyrics.added[0]]
                        edit.lyrics.added = []
                    }
                } catch { failure = error }
            }
            #expect(failure == nil)
            let items = try await mutagen(result)
            let expected = [
                "©nam": "Tïtle 🎺", "©ART": "Artist", "©alb": "Album", "aART": "Various", "trkn": "(4, 12)",
                "©day": "1999", "©gen": "Pop", "©wrt": "Composer", "©cmt": "One\ntwo", "cpil": "True",
                "tmpo": "99",
                "©lyr": "[00:01.00]Line", "----:com.apple.iTunes:initialkey": "Am",
                "----:com.apple.iTunes:replaygain_track_gain": "-7.03 dB",
            ]
            for (key, value) in expected { #expect(items[key] == value, "\(key)") }
            if bytes != plain {
                #expect(items["disk"] == "(2, 2)" && items["----:com.apple.iTunes:OTHER"] == "kept")
                #expect(items["©too"] == "Tool" && items["pgap"] == "True" && items["sonm"] == "Groesse")
            }
            let path = try folder.write(result, as: "cover.m4a")
            #expect(try EmbeddedCover.read(from: path)?.data == cover)
            // The same again changes nothing.
            let again = try rewritten(result) {
                $0.title = .set("Tïtle 🎺")
                $0.trackNumber = .set(4)
            }
            #expect(again == result)
            let cleared = try rewritten(result) {
                $0.title = .remove
                $0.cover = .remove
                $0.replayGain.trackGain = .remove
                $0.lyrics.removed = [0]
            }
            let left = try await mutagen(cleared)
            #expect(
                left["©nam"] == nil && left["covr"] == nil && left["©lyr"] == nil && left["©ART"] == "Artist")
            #expect(left["----:com.apple.iTunes:replaygain_track_gain"] == nil)
        }
    }

    @Test(
        "Free space takes up what is added, so that the audio does not move; unknown boxes keep their bytes")
    func freeSpace() throws {
        let plain = try file(["-movflags", "+faststart"])
        // A first edit moves the audio and leaves free space.
        let first = try rewritten(plain) { $0.title = .set("One") }
        #expect(first.count > plain.count + 8000)
        let second = try rewritten(first) { $0.comment = .set(String(repeating: "long ", count: 800)) }
        #expect(second.count == first.count)
        let third = try rewritten(second) { $0.comment = .remove }
        #expect(third.count == first.count)
    }

    @Test("Fragments with offsets of their own are refused if the audio would move")
    func fragments() throws {
        let bytes = try file(["-movflags", "frag_keyframe+empty_moov", "-frag_duration", "300000"])
        let error = #expect(throws: TaggingError.self) { try rewritten(bytes) { $0.title = .set("Title") } }
        #expect(error?.code == .unsupportedTag)
    }

    @Test("Damaged tags are read as far as they are valid, and edits of them are refused or keep the audio")
    func damage() async throws {
        let original = try await tagged(file(["-movflags", "+faststart"]), Self.statements)
        let movie = try #require(original.firstRange(of: Array("moov".utf8))).lowerBound
        let end = try #require(original.firstRange(of: Array("mdat".utf8))).lowerBound
        for count in stride(from: 0, to: end, by: 37) { _ = try tags(Array(original.prefix(count))) }
        var random = SeededGenerator(seed: 9)
        var edited = 0
        for _ in 0..<2000 {
            var damaged = original
            for _ in 0..<3 {
                damaged[Int.random(in: movie..<end, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let path = try folder.write(damaged, as: "damaged.m4a")
            let handle = try #require(FileHandle(forReadingAtPath: path))
            let state = try TagState(descriptor: handle.fileDescriptor)
            var edit = TagEdit()
            edit.title = .set(
                String(repeating: "x", count: Int.random(in: 1...9_000, using: &random) % 900 + 1))
            do throws(TaggingError) {
                let rewrite = try TagRewrite(of: edit, tags: state.tags, descriptor: handle.fileDescriptor)
                #expect(
                    rewrite.kept.upperBound <= damaged.count && rewrite.kept.count >= original.count - end)
                edited += 1
            } catch {
                #expect(error.code == .unsupportedTag || error.code == .invalidValue, "\(error)")
            }
        }
        #expect(edited > 1000)
    }
}
