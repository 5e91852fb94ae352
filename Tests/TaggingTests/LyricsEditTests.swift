import Foundation
import Tagging
import TestSupport
import Testing

@Suite("Lyrics frames in tags")
struct LyricsEditTests {
    private func frames(_ bytes: [UInt8]) throws -> [StoredLyrics.Item] {
        let folder = try TemporaryDirectory()
        let handle = try #require(FileHandle(forReadingAtPath: try folder.write(bytes, as: "file.mp3")))
        return try StoredLyrics.read(descriptor: handle.fileDescriptor).items
    }

    private func rewritten(_ bytes: [UInt8], _ change: (inout LyricsEdit) -> Void) throws -> [UInt8] {
        let folder = try TemporaryDirectory()
        let handle = try #require(FileHandle(forReadingAtPath: try folder.write(bytes, as: "file.mp3")))
        var edit = TagEdit()
        change(&edit.lyrics)
        let state = try TagState(descriptor: handle.fileDescriptor)
        let rewrite = try TagRewrite(of: edit, tags: state.tags, descriptor: handle.fileDescriptor)
        let result = rewrite.leading + bytes[rewrite.kept] + rewrite.trailing
        let second = try #require(FileHandle(forReadingAtPath: try folder.write(result, as: "after.mp3")))
        let after = try TagState(descriptor: second.fileDescriptor)
        #expect(after.firstDifference(after: edit, of: state) == nil)
        if result != bytes { #expect(after.firstDifference(after: TagEdit(), of: state) == .lyrics) }
        return result
    }

    private func lyrics(_ text: String, isSynchronised: Bool = false) -> LyricsEdit.Item {
        LyricsEdit.Item(
            kind: isSynchronised ? .synchronisedFrame : .plainFrame, content: Array("4\(text)".utf8),
            olderContent: Array("3\(text)".utf8))
    }

    @Test("A frame is replaced, one removed, one added; the others stay", arguments: [3, 4] as [UInt8])
    func change(version: UInt8) throws {
        func frame(_ id: String, _ text: String) -> [UInt8] {
            TagBytes.frame(id, Array(text.utf8), version: version)
        }
        let title = TagBytes.frame("TIT2", [0] + Array("t".utf8), version: version)
        let body = frame("USLT", "one") + title + frame("SYLT", "two") + frame("USLT", "three")
        let file = TagBytes.id3v2(body, version: version) + TagBytes.audio
        let result = try rewritten(file) {
            $0.replaced[1] = lyrics("new", isSynchronised: true)
            $0.removed = [0]
            $0.added = [lyrics("more")]
        }
        let found = try frames(result)
        let mark = version == 4 ? "4" : "3"
        #expect(found.map(\.kind) == [.synchronisedFrame, .plainFrame, .plainFrame])
        #expect(
            found.map { $0.content.map { String(decoding: $0, as: UTF8.self) } } == [
                "\(mark)new", "three", "\(mark)more",
            ])
        #expect(Data(result).range(of: Data(title)) != nil && result[3] == version)
        #expect(result.suffix(TagBytes.audio.count).elementsEqual(TagBytes.audio))
    }

    @Test("ID3v2.2 uses its own frame names; a file without a tag gets one")
    func versions() throws {
        let old = Array("ULT".utf8) + TagBytes.bigEndian(3, count: 3) + Array("abc".utf8)
        let file = TagBytes.id3v2(old, version: 2) + TagBytes.audio
        #expect(try frames(file).map(\.content) == [Array("abc".utf8)])
        let result = try rewritten(file) { $0.added = [lyrics("x", isSynchronised: true)] }
        #expect(try frames(result).map(\.content) == [Array("abc".utf8), Array("3x".utf8)])
        #expect(Data(result).range(of: Data("SLT".utf8)) != nil)
        let created = try rewritten(TagBytes.audio) { $0.added = [lyrics("x")] }
        #expect(try frames(created).map(\.content) == [Array("4x".utf8)])
    }

    @Test("Unsynchronisation and data length are decoded; compressed frames are counted, not read")
    func packed() throws {
        let body =
            TagBytes.frame("USLT", [0xFF, 0x00, 0xE0, 1], flags: [0, 0x02])
            + TagBytes.frame("USLT", [0, 0, 0, 2, 7, 8], flags: [0, 0x01])
            + TagBytes.frame("USLT", [9, 9], flags: [0, 0x04])
            + TagBytes.frame("USLT", [9, 9], flags: [0, 0x08])
            + TagBytes.frame("USLT", [5])
        let file = TagBytes.id3v2(body) + TagBytes.audio
        #expect(try frames(file).map(\.content) == [[0xFF, 0xE0, 1], [7, 8], nil, nil, [5]])
        let result = try rewritten(file) { $0.replaced[4] = lyrics("new") }
        #expect(
            try frames(result).map(\.content) == [[0xFF, 0xE0, 1], [7, 8], nil, nil, Array("4new".utf8)])
    }

    @Test("Frames of a second tag are numbered after those of the first")
    func stacked() throws {
        let file =
            TagBytes.id3v2(TagBytes.frame("USLT", [1])) + TagBytes.id3v2(TagBytes.frame("USLT", [2]))
            + TagBytes.audio
        let result = try rewritten(file) {
            $0.replaced[1] = lyrics("new")
            $0.added = [lyrics("more")]
        }
        #expect(try frames(result).map(\.content) == [[1], Array("4more".utf8), Array("4new".utf8)])
    }
}
