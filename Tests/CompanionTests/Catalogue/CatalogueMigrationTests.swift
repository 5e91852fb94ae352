import Catalogue
import Foundation
import MusicShared
import SQLiteDatabase
import Testing
import TestSupport
@testable import LibraryStore

@testable import Companion

@Suite struct CatalogueMigrationTests {
    @Test("Migration adds sort keys to an older library")
    func aLibraryFromBeforeIsPutInOrder() throws {
        let data = try TemporaryData()
        do {
            let database = try Database(path: data.folder.libraryDatabase)
            try database.migrate(
                Array(LibrarySchema.migrations.prefix(4)), applicationID: LibrarySchema.applicationID)
            try database.executeScript(
                """
                INSERT INTO artists (name, name_key) VALUES ('Zoë', 'zoë'), ('Äb', 'äb');
                INSERT INTO albums (album_key, title, artist_id) VALUES ('k', 'Älbum', 1);
                INSERT INTO playlists (name, created_at_ms, changed_at_ms) VALUES ('Öl', 1, 2);
                """)
            // More rows than one batch.
            for number in 1...2500 {
                try database.execute(
                    """
                    INSERT INTO tracks (relative_path, audio_hash, file_size, modified_at_ns, title, album_artist,
                        album, is_compilation, has_cover, tag_kinds, artist_id, album_id, added_at_ms, changed_at_ms)
                    VALUES (?, ?, 1, 1, ?, 'Zoë', 'Älbum', 0, 0, 0, 1, 1, 1, 1)
                    """,
                    [
                        "x/\(number).mp3", [UInt8](repeating: UInt8(number & 255), count: 16),
                        number == 7 ? nil : "Track \(number)",
                    ])
            }
            try database.execute("INSERT INTO playlist_entries VALUES (1, 0, 5)")
        }
        let library = try LibraryStore(data.folder)
        var query = CatalogueQuery(sort: TrackSort.title, limit: 4)
        let first = try library.catalogue { try $0.tracks(query) }
        // The track without a title is sorted by its file name: "7".
        #expect(first.total == 2500 && first.items.map(\.title) == [nil, "Track 1", "Track 2", "Track 3"])
        query.isDescending = true
        #expect(try library.catalogue { try $0.tracks(query) }.items[0].title == "Track 2500")
        let keys = try sqlite3Tool(
            data.folder.libraryDatabase,
            """
            SELECT count(*) FROM tracks WHERE title_sort = '' OR artist_sort != 'zoe' OR album_sort != 'album';
            SELECT name_sort FROM artists ORDER BY name_sort; SELECT title_sort FROM albums;
            SELECT name_sort, revision FROM playlists; PRAGMA integrity_check;
            """
        ).output
        #expect(keys == "0\nab\nzoe\nalbum\nol|1\nok\n")
        #expect(try library.catalogue { try $0.playlist(id: 1, limit: 9, offset: 0) }?.trackIDs == [5])
    }
}
