import Companion
import Foundation
import LibraryStore
import MusicFiles
import Tagging
import Testing
import TestSupport

/// Edits of files that have fields with several values, read back by mutagen.
@Suite("Edits of tags with several values")
struct MultipleValuesTests {
    private let directory: TemporaryDirectory
    private let editor: TagEditor
    private let track: RelativePath
    private var file: String { directory.file("music/track.mp3") }

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music"), withIntermediateDirectories: true)
        editor = TagEditor(try MusicFolder(path: directory.file("music")))
        track = try #require(RelativePath(text: "track.mp3"))
        try directory.write(
            try Encoders.lame(PCM.music(frameCount: 44_100), ["-b", "64"]), as: "music/track.mp3")
    }

    /// Writes tags with mutagen; `{file}` is the file's name.
    private func tag(_ code: String) async throws {
        _ = try await PythonTools.run("import sys\nfile = sys.argv[1]\n" + code, [file])
    }

    /// Reads values from the ID3v2 and APE tags with mutagen.
    private func values(_ keys: [String]) async throws -> [String: [String]] {
        let code = """
            import sys, json
            from mutagen.id3 import ID3, ID3NoHeaderError
            from mutagen.apev2 import APEv2, APENoHeaderError
            found = {}
            for kind, error in ((ID3, ID3NoHeaderError), (APEv2, APENoHeaderError)):
                try: tags = kind(sys.argv[1])
                except error: continue
                for key in sys.argv[2:]:
                    if key not in tags: continue
                    value = tags[key]
                    found[key] = list(map(str, value if kind is APEv2 else value.text))
            print(json.dumps(found))
            """
        return try JSONDecoder().decode(
            [String: [String]].self, from: Data(try await PythonTools.run(code, [file] + keys).utf8))
    }

    private func apply(_ change: (inout TagEdit) -> Void) throws {
        var edit = TagEdit()
        change(&edit)
        _ = try editor.apply(edit, to: track)
    }

    private static let apeTag = """
        from mutagen.apev2 import APEv2
        tag = APEv2()
        tag['Title'] = 'Song'
        tag['Artist'] = ['X', 'Y']
        tag['Album Artist'] = ['V', 'W']
        tag['Genre'] = ['Jazz', 'Funk']
        tag['Composer'] = ['P', 'Q', 'R']
        tag['Comment'] = ['one', 'two']
        tag['Track'] = '03/12'
        tag['Year'] = '2003-05-01'
        tag.save(file)
        """

    @Test(
        "Editing the title of a file with only an APE tag keeps its other fields, in both tags")
    func titleOfAPE() async throws {
        try await tag(Self.apeTag)
        let before = try TrackTags.read(from: file)
        try apply { $0.title = .set("New") }
        let found = try await values([
            "Title", "Artist", "Album Artist", "Genre", "Composer", "Comment", "Track", "Year",
            "TIT2", "TPE1", "TPE2", "TCON", "TCOM", "TRCK", "TDRC", "COMM::eng",
        ])
        #expect(
            found == [
                "Title": ["New"], "Artist": ["X", "Y"], "Album Artist": ["V", "W"],
                "Genre": ["Jazz", "Funk"],
                "Composer": ["P", "Q", "R"], "Comment": ["one", "two"], "Track": ["03/12"],
                "Year": ["2003-05-01"],
                "TIT2": ["New"], "TPE1": ["X", "Y"], "TPE2": ["V", "W"], "TCON": ["Jazz", "Funk"],
                "TCOM": ["P", "Q", "R"], "TRCK": ["03/12"], "TDRC": ["2003-05-01"], "COMM::eng": ["one; two"],
            ])
        var expected = before
        expected.title = "New"
        expected.kinds = [.ape, .id3v2]
        #expect(try TrackTags.read(from: file) == expected)
        #expect(before.artist == "X; Y")
    }

    @Test("An APE tag with values that ID3v2 cannot represent can still be edited")
    func odd() async throws {
        try await tag(
            """
            from mutagen.apev2 import APEv2
            tag = APEv2()
            tag['Artist'] = ['X', ' ', 'Y']
            tag['Genre'] = '17'
            tag['Year'] = 'May 2003'
            tag['Track'] = ['1', '2']
            tag['Comment'] = 'c' * 20000
            tag.save(file)
            """)
        let before = try TrackTags.read(from: file)
        try apply { $0.title = .set("New") }
        let found = try await values([
            "Artist", "Genre", "Year", "Track", "TPE1", "TCON", "TDRC", "TRCK", "COMM::eng",
        ])
        #expect(
            found == [
                "Artist": ["X", " ", "Y"], "Genre": ["17"], "Year": ["May 2003"], "Track": ["1", "2"],
                "TPE1": ["X", "Y"],
            ])
        var expected = before
        expected.title = "New"
        expected.kinds = [.ape, .id3v2]
        #expect(try TrackTags.read(from: file) == expected)
    }

    @Test("Setting a field to its displayed text keeps its several values, in each kind of tag")
    func sameText() async throws {
        try await tag(Self.apeTag)
        try apply { $0.artist = .set("X; Y") }
        try apply {
            $0.artist = .set("X; Y")
            $0.year = .set(2003)
            $0.trackNumber = .set(3)
        }
        let found = try await values(["Artist", "Track", "Year", "TPE1"])
        #expect(
            found["Artist"] == ["X", "Y"] && found["Track"] == ["03/12"] && found["Year"] == ["2003-05-01"])
        #expect(found["TPE1"] == ["X", "Y"])
    }

    @Test(
        "Editing the title keeps several values in ID3v2: lists, lists in ID3v2.3, repeated frames",
        arguments: ["list 4", "list 3", "frames 4", "frames 3"])
    func titleOfID3v2(kind: String) async throws {
        // The frames are built by hand, since mutagen joins the values of ID3v2.3 and repeated frames.
        let (form, version) = (kind.hasPrefix("list") ? "list" : "frames", kind.suffix(1))
        try await tag(
            """
            def frame(name, text):
                return name + len(b'\\0' + text).to_bytes(4, 'big') + b'\\0\\0' + b'\\0' + text
            many = (lambda n, t: frame(n, b'\\0'.join(t))) if '\(form)' == 'list' else \\
                (lambda n, t: b''.join(frame(n, v) for v in t))
            body = frame(b'TIT2', b'Song') + many(b'TPE1', [b'X', b'AC/DC']) + many(b'TCON', [b'Jazz', b'Funk']) \\
                + b'\\0' * 50
            data = open(file, 'rb').read()
            open(file, 'wb').write(b'ID3' + bytes([\(version), 0, 0, 0, 0, len(body) >> 7, len(body) & 127]) + body + data)
            """)
        #expect(try TrackTags.read(from: file).artist == "X; AC/DC")
        #expect(try TrackTags.read(from: file).genre == "Jazz; Funk")
        try apply { $0.title = .set("New") }
        let found = try await values(["TIT2", "TPE1", "TCON"])
        #expect(found == ["TIT2": ["New"], "TPE1": ["X", "AC/DC"], "TCON": ["Jazz", "Funk"]])
        try apply { $0.artist = .set("Z") }
        #expect(try await values(["TPE1"]) == ["TPE1": ["Z"]])
        #expect(try TrackTags.read(from: file).artist == "Z")
    }

    @Test("Adding lyrics to a file with only an APE tag creates an ID3v2 tag with the same fields")
    func lyrics() async throws {
        try await tag(Self.apeTag)
        let content = Array("\0eng\0la la".utf8)
        try apply {
            $0.lyrics.added = [.init(kind: .plainFrame, content: content, olderContent: content)]
        }
        #expect(try await values(["TPE1", "TIT2"]) == ["TPE1": ["X", "Y"], "TIT2": ["Song"]])
    }
}
