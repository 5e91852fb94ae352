import Analyzer
import Companion
import Foundation
import LibraryStore
import MusicFiles
import MusicShared
import Tagging
import Testing
import TestSupport

/// Edits of whole Ogg files, verified with opusinfo, ogginfo, the reference decoders and ffprobe.
@Suite("Tag editor on Ogg files")
struct OggEditorTests {
    private static let pieces = Result {
        let sound = IntegerSound.tones(frameCount: 48_000 * 6, sampleRate: 48_000)
        return [
            "opus": try sound.opus(["--comment", "MOOD=blue"]),
            "ogg": try sound.vorbis(["-c", "MOOD=blue"]),
        ]
    }

    private let directory: TemporaryDirectory
    private let editor: TagEditor

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music"), withIntermediateDirectories: true)
        editor = TagEditor(try MusicFolder(path: directory.file("music")))
    }

    private func prepare(_ suffix: String, _ bytes: [UInt8]? = nil) throws -> (
        path: RelativePath, bytes: [UInt8]
    ) {
        let bytes = try bytes ?? #require(try Self.pieces.get()[suffix])
        try directory.write(bytes, as: "music/track.\(suffix)")
        return (try #require(RelativePath(text: "track.\(suffix)")), bytes)
    }

    private func read(_ suffix: String) throws -> [UInt8] { try directory.read("music/track.\(suffix)") }

    private func apply(_ path: RelativePath, _ change: (inout TagEdit) -> Void) throws -> TagEditOutcome {
        var edit = TagEdit()
        change(&edit)
        return try editor.apply(edit, to: path)
    }

    /// Decodes a file, with the reference decoder.
    private func samples(_ bytes: [UInt8], _ suffix: String) throws -> [Float] {
        try suffix == "opus" ? OggReference.opus(bytes) : OggReference.vorbis(bytes).map { Float($0) }
    }

    private func verify(_ suffix: String) throws {
        #expect(try OggReference.complaints(about: directory.file("music/track.\(suffix)")) == [])
    }

    @Test(
        "ffprobe reads fields as they were set; audio and its hash are unchanged", arguments: ["opus", "ogg"])
    func fields(suffix: String) throws {
        let (path, before) = try prepare(suffix)
        let edited = try apply(path) {
            $0.title = .set("Tïtle 🎺 כותרת")
            $0.trackNumber = .set(3)
            $0.comment = .set("first line\nsecond line")
        }
        let run = try ProcessRun.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "stream_tags", "-of", "json",
                directory.file("music/track.\(suffix)"),
            ])
        struct Answer: Decodable {
            struct Stream: Decodable { var tags: [String: String] }
            var streams: [Stream]
        }
        let tags = try #require(JSONDecoder().decode(Answer.self, from: run.output).streams.first).tags
        #expect(tags["TITLE"] == "Tïtle 🎺 כותרת" && tags["track"] == "3" && tags["MOOD"] == "blue")
        #expect(edited.isChanged && edited.tags.mood == "blue")
        let after = try read(suffix)
        let pages = try (#require(OggComments(before)).audio, #require(OggComments(after)).audio)
        #expect(OggTestPage.file(pages.0) == OggTestPage.file(pages.1))
        #expect(try samples(after, suffix) == samples(before, suffix))
        try verify(suffix)
        #expect(try apply(path) { $0.trackNumber = .set(3) }.isChanged == false)
    }

    @Test(
        "If comments need more pages, the others are renumbered and keep their packets",
        arguments: ["opus", "ogg"])
    func renumbering(suffix: String) throws {
        let (path, before) = try prepare(suffix)
        let identity = try AudioIdentity(
            of: MappedFile(path: Array(directory.file("music/track.\(suffix)").utf8)))
        let cover = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 300_000)
        let edited = try apply(path) { $0.cover = .set(EmbeddedCover(data: cover, mimeType: "")) }
        #expect(edited.audioHash == identity.audioHash)
        let after = try read(suffix)
        let (old, new) = try (#require(OggComments(before)), #require(OggComments(after)))
        #expect(new.headerPageCount > old.headerPageCount && new.audioPackets == old.audioPackets)
        let numbers = OggTestPage.pages(of: after).map(\.sequence)
        #expect(numbers == (0..<UInt32(numbers.count)).map { $0 })
        #expect(new.audio.map(\.granule) == old.audio.map(\.granule))
        // The checksums, which opusinfo and the decoders check.
        #expect(OggTestPage.file(OggTestPage.pages(of: after)) == after)
        #expect(try samples(after, suffix) == samples(before, suffix))
        try verify(suffix)
        _ = try apply(path) { $0.cover = .remove }
        #expect(OggComments(try read(suffix))?.headerPageCount == new.headerPageCount)
        try verify(suffix)
    }

    @Test("Only the first link of a chain is renumbered", arguments: ["opus", "ogg"])
    func chain(suffix: String) throws {
        let piece = try #require(try Self.pieces.get()[suffix])
        let second =
            try suffix == "opus"
            ? IntegerSound.tones(frameCount: 90_000, sampleRate: 48_000, seed: 2).opus()
            : IntegerSound.tones(frameCount: 90_000, sampleRate: 48_000, seed: 2).vorbis()
        let (path, before) = try prepare(suffix, piece + second)
        let original = try OggReference.complaints(about: directory.file("music/track.\(suffix)"))
        let cover = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 200_000)
        _ = try apply(path) { $0.cover = .set(EmbeddedCover(data: cover, mimeType: "")) }
        let after = try read(suffix)
        #expect(after.suffix(second.count).elementsEqual(second))
        #expect(try samples(after, suffix) == samples(before, suffix))
        // Both links may have the same serial number, which ogginfo does not like.
        let complaints = try OggReference.complaints(about: directory.file("music/track.\(suffix)"))
        #expect(complaints == original)
    }

    @Test(
        "Forty random edits in a row leave the audio and other comments as they were",
        arguments: ["opus", "ogg"])
    func randomEdits(suffix: String) throws {
        let (path, before) = try prepare(suffix)
        let packets = try #require(OggComments(before)).audioPackets
        var random = SeededGenerator(seed: 4)
        for round in 0..<40 {
            let size = [3, 300, 9_000, 70_000, 200_000][Int.random(in: 0..<5, using: &random)]
            let text = String(repeating: "ä", count: min(size, 900))
            let isRemoval = Bool.random(using: &random)
            let gain = try #require(ReplayGainEdit.Gain(dB: Double.random(in: -60...60, using: &random)))
            let choice = Int.random(in: 0..<5, using: &random)
            let outcome = try apply(path) {
                switch choice {
                case 0: $0.title = isRemoval ? .remove : .set(text)
                case 1: $0.comment = isRemoval ? .remove : .set(text)
                case 2: $0.replayGain.trackGain = isRemoval ? .remove : .set(gain)
                case 3: $0.trackNumber = isRemoval ? .remove : .set(round + 1)
                default:
                    let picture = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: UInt8(round), count: size)
                    $0.cover = isRemoval ? .remove : .set(EmbeddedCover(data: picture, mimeType: ""))
                }
            }
            #expect(outcome.tags.mood == "blue")
            let after = try #require(OggComments(try read(suffix)))
            #expect(after.audioPackets == packets, "round \(round)")
        }
        try verify(suffix)
        #expect(try samples(read(suffix), suffix) == samples(before, suffix))
    }
}
