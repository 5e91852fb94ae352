internal import APIDescription
internal import LibraryStore
internal import MusicShared

/// JSON schemas of the catalogue's responses.
enum CatalogueSchemas {
    static let named: [String: JSONSchema] = [
        "Track": track, "Album": album, "Artist": artist, "Playlist": playlist,
        "TrackPage": .page(of: .named("Track")), "AlbumPage": .page(of: .named("Album")),
        "ArtistPage": .page(of: .named("Artist")), "PlaylistPage": .page(of: .named("Playlist")),
        "PlaylistEntryPage": .page(of: entry), "CatalogueChanges": changes, "Genre": genre, "Year": year,
        "TrackList": ["items": .array(of: .named("Track"), "The tracks.")],
        "GenreList": ["items": .array(of: .named("Genre"), "The genres.")],
        "YearList": ["items": .array(of: .named("Year"), "The years.")],
    ]

    private static let track = JSONSchema.object(
        TrackField.object(of: TrackItem.CodingKeys.self) + [
            "is_available": .flag("Whether the file existed at the last scan."),
            "file_size_bytes": .integer("Size of the file in bytes."),
            "added_at": .time("Time when the track was first seen"),
            "changed_at": .time("Time of the track's last change"),
            "artist_id": .identifier("Artist ID.").optional,
            "album_id": .identifier("Album ID.").optional,
            "composer": .text("Composer.").optional,
            "album_integrated_lufs": .number("Integrated loudness of the whole album in LUFS.").optional,
            "album_true_peak_dbtp": .number("Maximum true peak of the album in dBTP.").optional,
            "has_cover": .flag("Whether the file's tags contain a picture."),
            "stream_url": .text("Path of the HLS playlist.", example: "/tracks/7/stream.m3u8"),
            "file_url": .text("Path of the original file.", example: "/api/files/7/stream"),
            "cover_url": .text("Path of the cover.", example: "/tracks/7/cover?v=1763742000000"),
            "listening": .named("ListeningState").optional,
        ], "A track of the catalogue.")

    private static let album = JSONSchema.object(
        [
            "id": .identifier("Album ID."),
            "title": .text("Title."),
            "artist": .text("The album artist, or the artist shared by all its tracks.").optional,
            "artist_id": .identifier("Artist ID.").optional,
            "is_compilation": .flag("Whether it is tagged as a compilation."),
            "year": .integer("Earliest year of its tracks.", minimum: nil).optional,
            "track_count": .integer("Number of playable tracks."),
            "duration_seconds": .seconds("Total duration of these tracks"),
            "integrated_lufs": .number("Integrated loudness of the album in LUFS.").optional,
            "loudness_range_lu": .number("Loudness range of the album in LU.", minimum: 0).optional,
            "sample_peak_dbfs": .number("Maximum sample peak in dBFS.").optional,
            "true_peak_dbtp": .number("Maximum true peak in dBTP.").optional,
            "has_cover": .flag("Whether the tags of any of its files contain a picture."),
            "cover_url": .text("Path of the cover."),
            "tracks": .array(
                of: .named("Track"), "Its tracks by disc and track number; omitted in lists.",
                maximumCount: CatalogueLimits.largestPage
            ).optional,
            "listening": .named("ListeningState").optional,
        ], "An album of the catalogue.")

    private static let artist = JSONSchema.object(
        [
            "id": .identifier("Artist ID."),
            "name": .text("Name."),
            "track_count": .integer("Number of playable tracks by this artist."),
            "album_count": .integer("Number of albums by this artist."),
            "albums": .array(
                of: .named("Album"), "Albums sorted by year and title; omitted in lists.",
                maximumCount: CatalogueLimits.largestPage
            ).optional,
            "listening": .named("ListeningState").optional,
        ], "An artist of the catalogue.")

    private static let genre = JSONSchema.object(
        [
            "name": .text("Name.", example: "Jazz"),
            "track_count": .integer("Number of available tracks."),
            "album_count": .integer("Number of albums with such a track."),
            "album_id": .identifier("ID of the album with the most tracks of the genre, for its cover.")
                .optional,
        ], "A genre of the catalogue.")

    private static let year = JSONSchema.object(
        [
            "year": .integer("Year.", minimum: nil, example: 1984),
            "track_count": .integer("Number of available tracks."),
        ], "A year of the catalogue.")

    private static let changes = JSONSchema.object(
        [
            "revision": .text("The revision that these changes lead to.", example: "1204-0f3a99c2"),
            "is_reset": .flag(
                "Whether the client must read the lists again, because changes since the given revision are not known."
            ),
            "has_more": .flag("Whether more changes are available at once."),
            "tracks": .array(of: .named("Track"), "New or changed tracks."),
            "albums": .array(of: .named("Album"), "New albums, and albums that may have changed."),
            "artists": .array(of: .named("Artist"), "New artists, and artists that may have changed."),
            "removed": .object(
                [
                    "tracks": .array(of: .identifier(), "IDs of removed tracks."),
                    "albums": .array(of: .identifier(), "IDs of removed albums."),
                    "artists": .array(of: .identifier(), "IDs of removed artists."),
                ], "IDs of items that are no longer in any list."),
            "totals": .object(
                [
                    "tracks": .integer("Number of tracks."),
                    "albums": .integer("Number of albums."),
                    "artists": .integer("Number of artists."),
                ], "Current list sizes; only in the last response, when `has_more` is false."
            ).optional,
        ], "Changes of the catalogue since a revision.")

    private static let playlist = JSONSchema.object(
        [
            "id": .identifier("Playlist ID."),
            "name": .text("Name, unique among the playlists of its account."),
            "description": .text("Description by its owner.").optional,
            "owner_id": .identifier("ID of the account that it belongs to.").optional,
            "owner": .text("Name of this account.").optional,
            "is_public": .flag("Whether all accounts see it.").optional,
            "revision": .integer("Revision, starting at 1 and incremented with each change.", minimum: 1),
            "track_count": .integer("Number of entries."),
            "duration_seconds": .seconds("Total duration of its tracks"),
            "created_at": .time("Creation time"),
            "changed_at": .time("Time of the last change"),
            "rules": .named("SmartRules").optional,
            "track_ids": .array(of: .identifier(), "Track IDs of all entries in order; omitted in lists.")
                .optional,
            "entries": .named("PlaylistEntryPage").optional,
        ], "A playlist.")

    private static let entry: JSONSchema = [
        "position": .integer("Zero-based position."),
        "track": .named("Track"),
    ]
}
