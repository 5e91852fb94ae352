import Companion
import LibraryStore
import Testing

@Suite struct RelativePathTests {
    @Test(
        "The text of a UTF-8 path is the path itself",
        arguments: [
            "a.mp3", "Artist/Album/01 Song.mp3", "-dash.mp3", "new\nline.mp3", "quo'te\".mp3", "日本語/曲.mp3",
            "%FF.mp3",
            "..hidden/...mp3", " ",
        ])
    func textIsThePathItself(text: String) throws {
        let path = try #require(RelativePath(text: text))
        #expect(path.bytes == Array(text.utf8))
        #expect(Array(path.text.utf8) == path.bytes)
        #expect(path.isPlainText)
    }

    @Test(
        "Paths that lead out of the folder are rejected",
        arguments: ["", "/", "/etc/passwd", "a//b", "a/", "..", "../a", "a/../b", "./a", "a/.", "a\0b"])
    func pathsThatLeadOutAreNone(text: String) {
        #expect(RelativePath(text: text) == nil)
    }

    @Test("Bytes that are not UTF-8 are escaped and read back")
    func bytesThatAreNotUTF8AreShownAndComeBack() throws {
        let path = try #require(RelativePath(bytes: [0x61, 0xFF, 0x2F, 0xC3, 0x62]))
        #expect(path.text == "a\u{FFFD}FF/\u{FFFD}C3b")
        #expect(!path.isPlainText)
        #expect(RelativePath(text: path.text) == path)
    }

    @Test("No two paths have the same text")
    func noTwoPathsHaveTheSameText() throws {
        // A name that spells out the escape, one with the replacement character, and real invalid bytes.
        let names: [[UInt8]] = [
            [0xFF], Array("\u{FFFD}FF".utf8), Array("\u{FFFD}".utf8), [0xEF, 0xBF], [0xEF], [0xFF, 0xFF],
            Array("\u{FFFD}EF\u{FFFD}BF\u{FFFD}BD".utf8), Array("FF".utf8), [0xF0, 0x9F, 0x8E], [0xC0, 0x80],
            [0xED, 0xA0, 0x80],
        ]
        var texts: Set<[UInt8]> = []
        for name in names {
            let path = try #require(RelativePath(bytes: name))
            #expect(texts.insert(Array(path.text.utf8)).inserted, "\(name)")
            #expect(RelativePath(text: path.text)?.bytes == name)
        }
    }

    @Test(
        "Any text refers to exactly one path",
        arguments: [
            "\u{FFFD}zz", "\u{FFFD}", "a\u{FFFD}+F", "\u{FFFD}\u{FFFD}4", "\u{FFFD}ff", "\u{FEFF}x",
        ])
    func aTextThatIsTypedNamesOnePathOnly(text: String) throws {
        let path = try #require(RelativePath(text: text))
        #expect(RelativePath(bytes: path.bytes)?.text == path.text)
        #expect(RelativePath(text: path.text)?.bytes == path.bytes)
        #expect((path.bytes == [0xFF]) == (text == "\u{FFFD}ff"))
    }

    @Test("Random bytes are read back")
    func seededBytesComeBack() throws {
        var seed: UInt64 = 42
        for _ in 0..<3_000 {
            var name: [UInt8] = []
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            for index in 0..<Int(1 + seed % 9) {
                seed = seed &* 6_364_136_223_846_793_005 &+ UInt64(index)
                let special: [UInt8] = [0xEF, 0xBF, 0xBD, 0x46, 0xF0, 0x9F]
                let byte = UInt8(truncatingIfNeeded: seed >> 40)
                name.append(byte % 3 == 0 ? special[Int(byte) % 6] : max(0x30, byte))
            }
            let path = try #require(RelativePath(bytes: name))
            #expect(RelativePath(text: path.text)?.bytes == name)
        }
    }

    @Test("Two spellings of a letter are two files")
    func twoSpellingsOfOneLetterAreTwoFiles() throws {
        let composed = try #require(RelativePath(text: "caf\u{E9}.mp3"))
        let decomposed = try #require(RelativePath(text: "cafe\u{301}.mp3"))
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test("A path has a folder and a name")
    func foldersAndNames() throws {
        let path = try #require(RelativePath(text: "a/b/c.mp3"))
        #expect(path.folder?.text == "a/b" && path.name == "c.mp3")
        #expect(path.folder?.folder?.text == "a" && path.folder?.folder?.folder == nil)
    }
}
