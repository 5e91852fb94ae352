import Foundation
import TestSupport
import Testing

@testable import Tagging

/// Checks the tags of WAV and AIFF files; ffmpeg, sox and mutagen write and verify them.
@Suite("Tags of WAV and AIFF files")
struct ChunkTagsTests {
    private static let kinds = ["wav", "aiff"]
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Returns a file made by ffmpeg, whose WAV files have RIFF INFO and whose AIFF files have text chunks or ID3v2.
    private func file(_ kind: String, _ options: [String] = [], frames: Int = 4_001) throws -> [UInt8] {
        let sound = IntegerSound.tones(frameCount: frames, channelCount: 1, bitDepth: 8)
        let input = try folder.write(sound.bytes, as: "in.raw")
        // An odd number of bytes, so that padding matters.
        let coding = kind == "wav" ? "pcm_u8" : "pcm_s8"
        try ProcessRun.run(
            "ffmpeg",
            [
                "-v", "error", "-y", "-f", "s8", "-ar", "44100", "-ac", "1", "-i", input, "-c:a", coding,
                "-bitexact",
            ]
                + options + [folder.file("made.\(kind)")])
        return try folder.read("made.\(kind)")
    }

    private func open(_ bytes: [UInt8], _ name: String) throws -> FileHandle {
        let path = try folder.write(bytes, as: name)
        return try #require(FileHandle(forReadingAtPath: path))
    }

    private func tags(_ bytes: [UInt8], _ kind: String) throws -> TrackTags {
        try TrackTags.read(from: folder.write(bytes, as: "read.\(kind)"))
    }

    /// The chunks of a file: names and contents.
    private func chunks(_ bytes: [UInt8]) -> [(name: String, content: [UInt8])] {
        let isBigEndian = bytes.starts(with: "FORM".utf8)
        var found: [(String, [UInt8])] = []
        var position = 12
        while position + 8 <= bytes.count {
            let size = bytes[(position + 4)..<(position + 8)]
            let count = (isBigEndian ? Array(size) : size.reversed()).reduce(0) { $0 << 8 | Int($1) }
            let end = min(bytes.count, position + 8 + count)
            found.append(
                (
                    String(decoding: bytes[position..<(position + 4)], as: UTF8.self),
                    Array(bytes[(position + 8)..<end])
                ))
            position = end + count % 2
        }
        return found
    }

    /// Applies an edit, reads it back, and checks that the samples and all other chunks are the same.
    private func rewritten(
        _ bytes: [UInt8], _ kind: String,
        changing names: Set<String> = ["id3 ", "ID3 ", "LIST", "NAME", "AUTH", "ANNO"],
        _ change: (inout TagEdit) -> Void
    ) throws -> [UInt8] {
        var edit = TagEdit()
        change(&edit)
        let handle = try open(bytes, "file.\(kind)")
        let state = try TagState(descriptor: handle.fileDescriptor)
        let rewrite = try TagRewrite(of: edit, tags: state.tags, descriptor: handle.fileDescriptor)
        let result = rewrite.leading + bytes[rewrite.kept] + rewrite.trailing
        #expect(rewrite.container == (kind == "wav" ? .wav : .aiff))
        #expect(rewrite.isChanged == (result != bytes))
        let second = try open(result, "after.\(kind)")
        let after = try TagState(descriptor: second.fileDescriptor)
        #expect(after.firstDifference(after: try edit.checked(), of: state) == nil)
        func others(_ bytes: [UInt8]) -> [String] {
            chunks(bytes).filter { !names.contains($0.name) }.map { "\($0.name) \($0.content.hashValue)" }
        }
        #expect(others(result) == others(bytes))
        // The stated size leads to the end.
        let size = kind == "wav" ? result[4..<8].reversed().map { $0 } : Array(result[4..<8])
        #expect(size.reduce(0) { $0 << 8 | Int($1) } == result.count - 8)
        return result
    }

    /// Returns texts of ID3v2 as mutagen reads them.
    private func mutagen(_ bytes: [UInt8], _ kind: String) async throws -> [String: String] {
        let code = """
            import sys, json
            from mutagen.wave import WAVE
            from mutagen.aiff import AIFF
            file = (WAVE if sys.argv[1].endswith('wav') else AIFF)(sys.argv[1])
            print(json.dumps({key: str(frame) for key, frame in (file.tags or {}).items() if hasattr(frame, 'text')}))
            """
        let run = try await PythonTools.run(code, [try folder.write(bytes, as: "mutagen.\(kind)")])
        return try JSONDecoder().decode([String: String].self, from: Data(run.utf8))
    }

    private func ffprobe(_ bytes: [UInt8], _ kind: String) throws -> [String: String] {
        let run = try ProcessRun.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "format_tags", "-of", "json",
                try folder.write(bytes, as: "probe.\(kind)"),
            ])
        struct Answer: Decodable {
            struct Format: Decodable { var tags: [String: String]? }
            var format: Format
        }
        return try JSONDecoder().decode(Answer.self, from: run.output).format.tags ?? [:]
    }

    @Test("RIFF INFO is read, in UTF-8 and in Latin-1")
    func info() throws {
        var bytes = try file(
            "wav",
            [
                "-metadata", "title=Tïtle", "-metadata", "artist=Artist", "-metadata", "album=Album",
                "-metadata",
                "date=2003", "-metadata", "genre=Jazz", "-metadata", "track=3", "-metadata",
                "comment=A remark",
            ])
        let read = try tags(bytes, "wav")
        #expect(
            read.title == "Tïtle" && read.artist == "Artist" && read.album == "Album" && read.year == 2003)
        #expect(read.genre == "Jazz" && read.track.number == 3 && read.comment == "A remark")
        #expect(read.kinds == .info && read.kinds.names == ["INFO"])
        let place = try #require(bytes.firstRange(of: Array("Tïtle".utf8)))
        bytes.replaceSubrange(place, with: [0x54, 0xEF, 0x74, 0x6C, 0x65, 0])
        #expect(try tags(bytes, "wav").title == "Tïtle")
    }

    @Test("ID3v2 chunks of mutagen are read, with the cover", arguments: kinds)
    func id3(kind: String) async throws {
        let path = try folder.write(file(kind), as: "tagged.\(kind)")
        let code = """
            import sys
            from mutagen.wave import WAVE
            from mutagen.aiff import AIFF
            from mutagen.id3 import TIT2, TPE1, TRCK, APIC, USLT
            file = (WAVE if sys.argv[1].endswith('wav') else AIFF)(sys.argv[1])
            file.add_tags()
            file.tags.add(TIT2(text='Night Ferry')); file.tags.add(TPE1(text='A')); file.tags.add(TRCK(text='3/12'))
            file.tags.add(APIC(mime='image/jpeg', type=3, data=bytes([255, 216, 255, 224, 1, 2, 3])))
            file.tags.add(USLT(lang='eng', text='la la'))
            file.save()
            """
        _ = try await PythonTools.run(code, [path])
        let read = try TrackTags.read(from: path)
        #expect(
            read.title == "Night Ferry" && read.artist == "A" && read.track.number == 3
                && read.track.total == 12)
        #expect(read.hasCover && read.kinds == .id3v2)
        #expect(try EmbeddedCover.read(from: path)?.data == Self.jpeg)
        let handle = try #require(FileHandle(forReadingAtPath: path))
        let lyrics = try StoredLyrics.read(descriptor: handle.fileDescriptor)
        #expect(lyrics.items.map(\.kind) == [.plainFrame] && !lyrics.container.hasLyricsComments)
    }

    @Test(
        "A file without tags gets ID3v2.4 that mutagen and ffprobe read; later edits change it",
        arguments: kinds)
    func added(kind: String) async throws {
        let plain = try file(kind)
        let first = try rewritten(plain, kind) {
            $0.title = .set("Tïtle 🎺")
            $0.artist = .set("Artist")
            $0.trackNumber = .set(7)
            $0.cover = .set(EmbeddedCover(data: Self.jpeg, mimeType: "image/jpeg"))
        }
        let seen = try await mutagen(first, kind)
        #expect(seen["TIT2"] == "Tïtle 🎺" && seen["TPE1"] == "Artist" && seen["TRCK"] == "7")
        #expect(try ffprobe(first, kind)["title"] == "Tïtle 🎺")
        let second = try rewritten(first, kind) {
            $0.title = .set("Other")
            $0.artist = .remove
            $0.cover = .remove
        }
        let later = try await mutagen(second, kind)
        #expect(later["TIT2"] == "Other" && later["TPE1"] == nil)
        #expect(try tags(second, kind).hasCover == false)
        // The same again changes nothing.
        #expect(try rewritten(second, kind) { $0.title = .set("Other") } == second)
    }

    @Test(
        "Texts of RIFF INFO are updated where they exist, carried to the new ID3v2, and all others are kept")
    func infoEdits() async throws {
        let bytes = try file(
            "wav",
            ["-metadata", "title=First", "-metadata", "artist=Artist", "-metadata", "copyright=Someone"])
        let edited = try rewritten(bytes, "wav") {
            $0.title = .set("Second")
            $0.album = .set("Album")
        }
        let list = try #require(chunks(edited).first { $0.name == "LIST" }?.content)
        let text = String(decoding: list, as: UTF8.self)
        #expect(text.contains("Second") && text.contains("Someone") && text.contains("Artist"))
        #expect(!text.contains("First") && !text.contains("IPRD"))
        let seen = try await mutagen(edited, "wav")
        #expect(seen["TIT2"] == "Second" && seen["TALB"] == "Album" && seen["TPE1"] == "Artist")
        let removed = try rewritten(edited, "wav") { $0.artist = .remove }
        #expect(try tags(removed, "wav").artist == nil)
    }

    @Test("Chunks of unknown names before and after the samples keep their bytes", arguments: kinds)
    func unknownChunks(kind: String) throws {
        var bytes = try file(kind, frames: 4_000)
        let isBigEndian = kind == "aiff"
        let size: [UInt8] = isBigEndian ? [0, 0, 0, 5] : [5, 0, 0, 0]
        let extra = Array("bext".utf8) + size + [1, 2, 3, 4, 5, 0]
        bytes.insert(contentsOf: extra, at: 12)
        bytes += Array("cue ".utf8) + size + [9, 8, 7, 6, 5, 0]
        let count = bytes.count - 8
        let total = [
            UInt8(count >> 24), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255),
        ]
        bytes.replaceSubrange(4..<8, with: isBigEndian ? total : total.reversed())
        let edited = try rewritten(bytes, kind) { $0.title = .set("Title") }
        #expect(
            chunks(edited).contains { $0.name == "bext" } && chunks(edited).contains { $0.name == "cue " })
    }

    @Test("Files whose sizes do not lead to the end are not edited", arguments: kinds)
    func unsupported(kind: String) throws {
        let whole = try file(kind, frames: 4_000)
        for bytes in [Array(whole.dropLast(1_000)), Array(whole.prefix(60))] {
            let handle = try open(bytes, "cut.\(kind)")
            var edit = TagEdit()
            edit.title = .set("Title")
            let state = try TagState(descriptor: handle.fileDescriptor)
            let error = #expect(throws: TaggingError.self) {
                try TagRewrite(of: edit, tags: state.tags, descriptor: handle.fileDescriptor)
            }
            #expect(error?.code == .unsupportedTag)
        }
    }

    @Test("20,000 damaged files end without a trap, and edits that succeed read back")
    func damaged() throws {
        let wav = try file("wav", ["-metadata", "title=First", "-metadata", "artist=Artist"], frames: 400)
        let originals = try [
            wav, rewritten(wav, "wav") { $0.title = .set("Second") },
            rewritten(file("aiff", frames: 400), "aiff") { $0.title = .set("Second") },
        ]
        var edited = 0
        for n in 0..<20_000 {
            var random = SeededGenerator(seed: UInt64(n))
            var bytes = originals[n % originals.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeLast(min(bytes.count - 1, Int.random(in: 0..<40, using: &random)))
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            let handle = try open(bytes, "damaged")
            let state = try TagState(descriptor: handle.fileDescriptor)
            var edit = TagEdit()
            edit.title = .set("Third")
            do {
                let rewrite = try TagRewrite(of: edit, tags: state.tags, descriptor: handle.fileDescriptor)
                guard rewrite.container != .mpeg else { continue }
                edited += 1
                let second = try open(rewrite.leading + bytes[rewrite.kept] + rewrite.trailing, "after")
                let after = try TagState(descriptor: second.fileDescriptor)
                guard after.tags.title == "Third" else {
                    Issue.record("mutation \(n): \(after.tags.title ?? "no title")")
                    return
                }
            } catch let error as TaggingError where error.code == .unsupportedTag {
                continue
            }
        }
        #expect(edited > 5_000)
    }
}
