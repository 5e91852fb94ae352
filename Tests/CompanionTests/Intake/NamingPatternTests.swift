import Foundation
import MusicShared
import Tagging
import Testing
import TestSupport
@testable import LibraryStore
@testable import MusicFiles

@testable import Companion

/// File names derived from tags.
@Suite("Naming pattern")
struct NamingPatternTests {
    private static func tags(_ change: (inout TrackTags) -> Void) -> TrackTags {
        var tags = TrackTags()
        tags.title = "Title"
        tags.artist = "Artist"
        tags.album = "Album"
        tags.albumArtist = "Band"
        tags.track.number = 7
        tags.disc.number = 2
        tags.year = 1999
        change(&tags)
        return tags
    }

    private static func path(
        _ tags: TrackTags, _ pattern: NamingPattern = .standard, fileName: String = "x.mp3"
    ) -> String {
        pattern.parts(tags, fileName: fileName).joined(separator: "/")
    }

    @Test("Missing tags are omitted with their separator, or replaced by a placeholder")
    func missing() throws {
        #expect(Self.path(Self.tags { _ in }) == "Band/1999 - Album/2-07 Title.mp3")
        #expect(Self.path(Self.tags { $0.year = nil }) == "Band/Album/2-07 Title.mp3")
        #expect(Self.path(Self.tags { $0.disc.number = nil }) == "Band/1999 - Album/07 Title.mp3")
        #expect(
            Self.path(Self.tags { $0.disc = NumberInSet(number: 1, total: 1) })
                == "Band/1999 - Album/07 Title.mp3")
        #expect(
            Self.path(Self.tags { $0.track = NumberInSet(number: 7, total: 120) })
                == "Band/1999 - Album/2-007 Title.mp3")
        #expect(Self.path(Self.tags { $0.albumArtist = nil }) == "Artist/1999 - Album/2-07 Title.mp3")
        #expect(
            Self.path(
                Self.tags {
                    $0.albumArtist = nil
                    $0.isCompilation = true
                }) == "Various Artists/1999 - Album/2-07 Title.mp3")
        #expect(
            Self.path(TrackTags(), fileName: "C:\\Music\\my song.MP3")
                == "Unknown Artist/Unknown Album/my song.mp3")
        #expect(
            Self.path(TrackTags(), fileName: "my song.Flac") == "Unknown Artist/Unknown Album/my song.mp3")
        #expect(Self.path(TrackTags(), fileName: "") == "Unknown Artist/Unknown Album/Untitled.mp3")
        let flat = try NamingPattern("{artist} - {title}.mp3")
        #expect(Self.path(Self.tags { _ in }, flat) == "Artist - Title.mp3")
        #expect(flat.description == "{artist} - {title}")
        #expect(
            NamingPattern.standard.description == "{album_artist}/{year} - {album}/{disc}-{track} {title}"
        )
        #expect(
            NamingPattern.standard.parts(Self.tags { _ in }, fileName: "", number: 2).last
                == "2-07 Title (2).mp3")
    }

    /// Texts with content that is not allowed in names on Linux, macOS or Windows.
    private static let hostile = [
        "..", ".", "../../etc/passwd", "/etc/passwd", "a/b", "a\\b", ".hidden", ".trash", "a\0b",
        "\u{1B}[31mred", "a\nb\rc",
        "CON", "nul.txt", "COM1", "trailing. . ", "<>:\"|?*", "\u{202E}3pm.exe", "\u{FEFF}bom", "", "   ",
        "…", "\u{FFFD}41",
        String(repeating: "ä", count: 5000), String(repeating: "👨‍👩‍👧‍👦", count: 100), "e\u{301}", "-rf", "~",
        "$(reboot)", "%2e%2e%2f",
        "{title}", "a\u{2028}b", "\u{E000}",
        "a\u{300}\u{301}\u{302}" + String(repeating: "\u{303}", count: 3000),
    ]

    @Test(
        "Whatever the tags, each part is a valid name on every system and does not leave the folder",
        arguments: hostile)
    func hostileValues(text: String) throws {
        let tags = Self.tags {
            $0.title = text
            $0.album = text
            $0.albumArtist = text
        }
        for parts in [
            NamingPattern.standard.parts(tags, fileName: text),
            NamingPattern.standard.parts(TrackTags(), fileName: text, number: 999),
        ] {
            #expect(parts.count == 3)
            for part in parts {
                #expect(
                    !part.isEmpty && part.utf8.count <= 200 && !part.hasPrefix(".") && !part.hasPrefix(" "))
                #expect(!part.hasSuffix(".") && !part.hasSuffix(" "))
                let scalars = part.unicodeScalars
                #expect(
                    !scalars.contains {
                        "/\\<>:\"|?*".unicodeScalars.contains($0) || $0.value < 0x20
                            || (0x7F...0x9F).contains($0.value)
                    })
                #expect(
                    !scalars.contains {
                        (0x202A...0x202E).contains($0.value) || $0.value == 0xFEFF || $0.value == 0x2028
                    })
                #expect(part.precomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual(scalars))
                let stem = part.prefix { $0 != "." }.lowercased()
                #expect(!["con", "nul", "com1"].contains(stem))
            }
            #expect(RelativePath(text: parts.joined(separator: "/")) != nil)
            #expect(parts.last?.hasSuffix(".mp3") == true)
        }
    }

    @Test("Accents are composed, so that both spellings of a name give the same folder")
    func composed() {
        let apart = Self.path(Self.tags { $0.albumArtist = "Bjo\u{308}rk" })
        #expect(Array(apart.utf8) == Array("Bj\u{F6}rk/1999 - Album/2-07 Title.mp3".utf8))
    }

    @Test("The extension of an audio format at the end is ignored: files get that of their own format")
    func extensions() throws {
        for text in ["{title}", "{title}.mp3", "{title}.FLAC", "{title}.aif"] {
            let pattern = try NamingPattern(text)
            #expect(pattern.description == "{title}")
            #expect(pattern.parts(Self.tags { _ in }, fileName: "", format: .wav) == ["Title.wav"])
        }
    }

    @Test(
        "Patterns that lead elsewhere, or give all files the same name, are rejected",
        arguments: [
            "../{title}.mp3", "/{title}.mp3", "{nothing}.mp3", "{title.mp3", "title}.mp3",
            "a/{artist}.mp3", ".a/{title}.mp3",
            "a//{title}.mp3", "a:b/{title}.mp3", "a\\{title}.mp3", "", ".mp3",
            String(repeating: "a/", count: 9) + "{title}.mp3",
        ])
    func badPatterns(text: String) {
        #expect(throws: IntakeError.self) { try NamingPattern(text) }
    }
}
