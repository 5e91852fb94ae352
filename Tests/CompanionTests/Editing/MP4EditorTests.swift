import Analyzer
import Companion
import Foundation
import LibraryStore
import MusicFiles
import MusicShared
import Tagging
import Testing
import TestSupport

/// Edits of whole M4A files in a library.
@Suite("Tag editor on M4A files")
struct MP4EditorTests {
    private let directory: TemporaryDirectory
    private let music: MusicFolder
    private let editor: TagEditor
    private let track: RelativePath

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music/album"), withIntermediateDirectories: true)
        music = try MusicFolder(path: directory.file("music"))
        editor = TagEditor(music)
        track = try #require(RelativePath(text: "album/track.m4a"))
    }

    private func edit(_ change: (inout TagEdit) -> Void) -> TagEdit {
        var edit = TagEdit()
        change(&edit)
        return edit
    }

    @Test(
        "After an edit a pass decodes nothing, wherever the index is",
        arguments: [
            ["-c:a", "aac"], ["-c:a", "aac", "-movflags", "+faststart"],
            ["-c:a", "alac", "-movflags", "+faststart"],
        ])
    func library(options: [String]) throws {
        let bytes = try IntegerSound.tones(frameCount: 90_000).mp4(options)
        try directory.write(bytes, as: "music/album/track.m4a")
        let data = try DataFolder(path: directory.file("data"))
        func pass() throws -> PassSummary {
            try LibraryPass(music: music, data: data, options: PassOptions()).run()
        }
        #expect(try pass().analyzedCount == 1)
        let first = try editor.apply(edit { $0.title = .set("one") }, to: track)
        #expect(first.isChanged && first.tags.title == "one")
        let linked = try pass()
        #expect(linked.linkedCount == 1 && linked.analyzedCount == 0)
        let second = try editor.apply(
            edit { $0.comment = .set(String(repeating: "two ", count: 2_400)) }, to: track)
        #expect(second.audioHash == first.audioHash)
        #expect(try LibraryStore(data).record(edited: [second]).count == 1)
        #expect(try pass().unchangedCount == 1)
        let again = try editor.apply(edit { $0.title = .set("one") }, to: track, expecting: second.file)
        #expect(!again.isChanged && again.file == second.file)
    }

    @Test("A fragmented file that would have to be moved as a whole is refused, and stays as it was")
    func fragments() throws {
        let bytes = try IntegerSound.tones(frameCount: 90_000).mp4(
            ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov", "-frag_duration", "300000"])
        try directory.write(bytes, as: "music/album/track.m4a")
        let error = #expect(throws: TagEditError.self) {
            try editor.apply(edit { $0.title = .set("one") }, to: track)
        }
        #expect(error?.code == .unsupportedTag)
        #expect(try directory.read("music/album/track.m4a") == bytes)
    }
}
