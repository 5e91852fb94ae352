internal import APIDescription
internal import LibraryStore
internal import MusicShared

/// JSON schemas of the catalogue's responses.
enum CatalogueSchemas {
    static let named = [
        "Track": track, "Album": album, "Artist": artist, "Playlist": playlist,
        "TrackPage": page(of: .named("Track")), "AlbumPage": page(of: .named("Album")),
        "ArtistPage": page(of: .named("Artist")), "PlaylistPage": page(of: .named("Playlist")),
        "PlaylistEntryPage": page(of: entry), "CatalogueChanges": changes,
    ]

    /// Returns the schema of a page of a list.
    static func page(of item: JSONSchema) -> JSONSchema {
        .object(
            [
                .always("items", .array(of: item, "Up to `limit` items, starting at `offset`.")),
                .always("total", .integer("Number of items in the whole list.")),
                .always("limit", .integer("The requested maximum number of items.", minimum: 1)),
                .always("offset", .integer("Number of items before this page.")),
            ], "A page of a list.")
    }

    private static let track = JSONSchema.object(
        TrackField.properties(named: [
            "id", "relative_path", "audio_hash", "title", "artist", "album", "album_artist", "track_number",
            "disc_number", "year", "genre", "duration_seconds", "sample_count", "sample_rate_hz", "channels",
            "average_bit_rate_bps", "encoder_delay_samples", "encoder_padding_samples", "integrated_lufs",
            "loudness_range_lu", "sample_peak_dbfs", "true_peak_dbtp", "cue_in_seconds", "cue_out_seconds",
            "fade_in_end_seconds", "fade_out_start_seconds", "start_next_seconds", "ending", "bpm",
            "bpm_confidence", "beat_confidence", "first_beat_seconds", "key", "key_camelot",
        ]) + [
            .always("is_available", .flag("Whether the file existed at the last scan.")),
            .always("file_size_bytes", .integer("Size of the file in bytes.")),
            .always("added_at", .time("Time when the track was first seen")),
            .always("changed_at", .time("Time of the track's last change")),
            .maybe("artist_id", .identifier("Artist ID.")),
            .maybe("album_id", .identifier("Album ID.")),
            .maybe("composer", .text("Composer.")),
            .maybe("album_integrated_lufs", .number("Integrated loudness of the whole album in LUFS.")),
            .maybe("album_true_peak_dbtp", .number("Maximum true peak of the album in dBTP.")),
            .always("has_cover", .flag("Whether the file's tags contain a picture.")),
            .always("stream_url", .text("Path of the HLS playlist.", example: "/tracks/7/stream.m3u8")),
            .always("file_url", .text("Path of the original file.", example: "/api/files/7/stream")),
            .always("cover_url", .text("Path of the cover.", example: "/tracks/7/cover?v=1763742000000")),
            .maybe("listening", .named("ListeningState")),
        ], "A track of the catalogue.")

    private static let album = JSONSchema.object(
        [
            .always("id", .identifier("Album ID.")),
            .always("title", .text("Title.")),
            .maybe("artist", .text("The album artist, or the artist shared by all its tracks.")),
            .maybe("artist_id", .identifier("Artist ID.")),
            .always("is_compilation", .flag("Whether it is tagged as a compilation.")),
            .maybe("year", .integer("Earliest year of its tracks.", minimum: nil)),
            .always("track_count", .integer("Number of playable tracks.")),
            .always("duration_seconds", .seconds("Total duration of these tracks")),
            .maybe("integrated_lufs", .number("Integrated loudness of the album in LUFS.")),
            .maybe("loudness_range_lu", .number("Loudness range of the album in LU.", minimum: 0)),
            .maybe("sample_peak_dbfs", .number("Maximum sample peak in dBFS.")),
            .maybe("true_peak_dbtp", .number("Maximum true peak in dBTP.")),
            .always("has_cover", .flag("Whether the tags of any of its files contain a picture.")),
            .always("cover_url", .text("Path of the cover.")),
            .maybe(
                "tracks",
                .array(
                    of: .named("Track"), "Its tracks by disc and track number; omitted in lists.",
                    maximumCount: CatalogueLimits.largestPage)),
            .maybe("listening", .named("ListeningState")),
        ], "An album of the catalogue.")

    private static let artist = JSONSchema.object(
        [
            .always("id", .identifier("Artist ID.")),
            .always("name", .text("Name.")),
            .always("track_count", .integer("Number of playable tracks by this artist.")),
            .always("album_count", .integer("Number of albums by this artist.")),
            .maybe(
                "albums",
                .array(
                    of: .named("Album"), "Albums sorted by year and title; omitted in lists.",
                    maximumCount: CatalogueLimits.largestPage)),
            .maybe("listening", .named("ListeningState")),
        ], "An artist of the catalogue.")

    private static let changes = JSONSchema.object(
        [
            .always(
                "revision", .text("The revision that these changes lead to.", example: "1204-0f3a99c2")),
            .always(
                "is_reset",
                .flag(
                    "Whether the client must read the lists again, because changes since the given revision are not known."
                )),
            .always("has_more", .flag("Whether more changes are available at once.")),
            .always("tracks", .array(of: .named("Track"), "New or changed tracks.")),
            .always(
                "albums", .array(of: .named("Album"), "New albums, and albums that may have changed.")),
            .always(
                "artists",
                .array(of: .named("Artist"), "New artists, and artists that may have changed.")),
            .always(
                "removed",
                .object(
                    [
                        .always("tracks", .array(of: .identifier(), "IDs of removed tracks.")),
                        .always("albums", .array(of: .identifier(), "IDs of removed albums.")),
                        .always("artists", .array(of: .identifier(), "IDs of removed artists.")),
                    ], "IDs of items that are no longer in any list.")),
            .maybe(
                "totals",
                .object(
                    [
                        .always("tracks", .integer("Number of tracks.")),
                        .always("albums", .integer("Number of albums.")),
                        .always("artists", .integer("Number of artists.")),
                    ], "Current list sizes; only in the last response, when `has_more` is false.")),
        ], "Changes of the catalogue since a revision.")

    private static let playlist = JSONSchema.object(
        [
            .always("id", .identifier("Playlist ID.")),
            .always("name", .text("Name, unique among the playlists of its account.")),
            .maybe("description", .text("Description by its owner.")),
            .maybe("owner_id", .identifier("ID of the account that it belongs to.")),
            .maybe("owner", .text("Name of this account.")),
            .maybe("is_public", .flag("Whether all accounts see it.")),
            .always(
                "revision", .integer("Revision, starting at 1 and incremented with each change.", minimum: 1)),
            .always("track_count", .integer("Number of entries.")),
            .always("duration_seconds", .seconds("Total duration of its tracks")),
            .always("created_at", .time("Creation time")),
            .always("changed_at", .time("Time of the last change")),
            .maybe(
                "track_ids",
                .array(of: .identifier(), "Track IDs of all entries in order; omitted in lists.")),
            .maybe("entries", .named("PlaylistEntryPage")),
        ], "A playlist.")

    private static let entry = JSONSchema.object([
        .always("position", .integer("Zero-based position.")),
        .always("track", .named("Track")),
    ])
}
