import Companion
import LibraryStore
import Tagging
import Testing

@Suite struct AlbumGroupingTests {
    private func key(
        _ path: String, _ album: String?, by albumArtist: String? = nil, compilation: Bool = false
    ) throws -> String? {
        var tags = Sample.tags(album: album, albumArtist: albumArtist)
        tags.isCompilation = compilation
        return AlbumGrouping(tags: tags, path: try Sample.path(path))?.key
    }

    @Test("Tracks with one album artist form one album across folders")
    func anAlbumArtistHoldsFoldersTogether() throws {
        #expect(try key("x/1.mp3", "Hits", by: "Queen") == key("y/2.mp3", "HITS ", by: "  queen"))
        #expect(try key("x/1.mp3", "Hits", by: "Queen") != key("x/1.mp3", "Hits", by: "Abba"))
        #expect(try key("x/1.mp3", "Caf\u{E9}", by: "A") == key("x/1.mp3", "Cafe\u{301}", by: "A"))
    }

    @Test("Without an album artist, each folder is an album")
    func withoutAlbumArtistTheFolderCounts() throws {
        #expect(try key("x/1.mp3", "Hits") == key("x/2.mp3", "Hits"))
        #expect(try key("x/1.mp3", "Hits") != key("y/2.mp3", "Hits"))
        #expect(try key("1.mp3", "Hits") == key("2.mp3", "Hits"))
        #expect(try key("x/1.mp3", "Hits") != key("1.mp3", "Hits"))
    }

    @Test("Compilations with the same title in different folders are separate albums")
    func compilationsOfOneTitleStayApart() throws {
        let one = try key("a/1.mp3", "Best", by: "Various Artists", compilation: true)
        #expect(try one != key("b/1.mp3", "Best", by: "Various Artists", compilation: true))
        #expect(try one == key("a/2.mp3", "Best", by: "V.A.", compilation: true))
    }

    @Test("Disc folders belong to one album", arguments: ["CD1", "cd 2", "Disc 1", "disk-03", "Disc #2"])
    func foldersOfDiscsAreOneAlbum(disc: String) throws {
        #expect(try key("box/\(disc)/1.mp3", "Box") == key("box/1.mp3", "Box"))
    }

    @Test(
        "Other folders are separate albums",
        arguments: ["CD", "CDs", "Disco", "Discovery", "cd1 live", "disc 2000"])
    func otherFoldersAreNot(folder: String) throws {
        #expect(try key("box/\(folder)/1.mp3", "Box") != key("box/1.mp3", "Box"))
    }

    @Test("Without an album title there is no album")
    func noTitleNoAlbum() throws {
        #expect(try key("x/1.mp3", nil, by: "Queen") == nil)
    }
}
