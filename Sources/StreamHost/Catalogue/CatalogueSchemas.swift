internal import MusicShared

/// Schemas of what the catalogue gives.
enum CatalogueSchemas {
    static let named = [
        "Track": track, "Album": album, "Artist": artist, "Playlist": playlist,
        "TrackPage": page(of: .named("Track")), "AlbumPage": page(of: .named("Album")),
        "ArtistPage": page(of: .named("Artist")), "PlaylistPage": page(of: .named("Playlist")),
        "PlaylistEntryPage": page(of: entry), "CatalogueChanges": changes,
    ]

    /// A part of a list.
    static func page(of item: JSONSchema) -> JSONSchema {
        .object(
            [
                .always("items", .array(of: item, "The items from `offset` on, at most `limit`.")),
                .always("total", .integer("How many items the whole list has.")),
                .always("limit", .integer("The most items that were asked for.", minimum: 1)),
                .always("offset", .integer("How many items of the list come before these.")),
            ], "A part of a list.")
    }

    private static let track = JSONSchema.object(
        TrackReport.properties(named: [
            "id", "relative_path", "audio_hash", "title", "artist", "album", "album_artist", "track_number",
            "disc_number", "year", "genre", "duration_seconds", "sample_count", "sample_rate_hz", "channels",
            "average_bit_rate_bps", "encoder_delay_samples", "encoder_padding_samples", "integrated_lufs",
            "loudness_range_lu", "sample_peak_dbfs", "true_peak_dbtp", "cue_in_seconds", "cue_out_seconds",
            "fade_in_end_seconds", "fade_out_start_seconds", "start_next_seconds", "ending", "bpm",
            "bpm_confidence", "first_beat_seconds", "key", "key_camelot",
        ]) + [
            .always("is_available", .flag("Whether the file was there when last looked for.")),
            .always("file_size_bytes", .integer("Size of the file in bytes.")),
            .always("added_at", .time("When the track was first seen")),
            .always("changed_at", .time("When the track last changed")),
            .maybe("artist_id", .identifier("The artist in the catalogue.")),
            .maybe("album_id", .identifier("The album in the catalogue.")),
            .maybe("composer", .text("Composer.")),
            .maybe("album_integrated_lufs", .number("Integrated loudness of the whole album in LUFS.")),
            .maybe("album_true_peak_dbtp", .number("Highest true peak of the album in dBTP.")),
            .always("has_cover", .flag("Whether the file's tags hold a picture.")),
            .always("stream_url", .text("Path of the HLS playlist.", example: "/tracks/7/stream.m3u8")),
            .always("file_url", .text("Path of the original file.", example: "/api/files/7/stream")),
            .always("cover_url", .text("Path of the cover.", example: "/tracks/7/cover?v=1763742000000")),
            .maybe("listening", .named("ListeningState")),
        ], "A track of the catalogue.")

    private static let album = JSONSchema.object(
        [
            .always("id", .identifier("Number of the album.")),
            .always("title", .text("Title.")),
            .maybe("artist", .text("The album artist, or the artist that all its tracks have.")),
            .maybe("artist_id", .identifier("The artist in the catalogue.")),
            .always("is_compilation", .flag("Whether it is marked as a compilation.")),
            .maybe("year", .integer("The earliest year of its tracks.", minimum: nil)),
            .always("track_count", .integer("How many of its tracks can be played.")),
            .always("duration_seconds", .seconds("Length of these tracks together")),
            .maybe("integrated_lufs", .number("Integrated loudness of all tracks together, in LUFS.")),
            .maybe("loudness_range_lu", .number("Loudness range of all tracks together, in LU.", minimum: 0)),
            .maybe("sample_peak_dbfs", .number("Highest sample peak in dBFS.")),
            .maybe("true_peak_dbtp", .number("Highest true peak in dBTP.")),
            .always("has_cover", .flag("Whether the tags of one of its files hold a picture.")),
            .always("cover_url", .text("Path of the cover.")),
            .maybe(
                "tracks",
                .array(
                    of: .named("Track"), "Its tracks by disc and number; left out in lists.",
                    maximumCount: CatalogueLimits.largestPage)),
            .maybe("listening", .named("ListeningState")),
        ], "An album of the catalogue.")

    private static let artist = JSONSchema.object(
        [
            .always("id", .identifier("Number of the artist.")),
            .always("name", .text("Name.")),
            .always("track_count", .integer("How many tracks that can be played are by this artist.")),
            .always("album_count", .integer("How many albums are by this artist.")),
            .maybe(
                "albums",
                .array(
                    of: .named("Album"), "The albums by year and title; left out in lists.",
                    maximumCount: CatalogueLimits.largestPage)),
            .maybe("listening", .named("ListeningState")),
        ], "An artist of the catalogue.")

    private static let changes = JSONSchema.object(
        [
            .always(
                "revision", .text("Name of the state that the changes lead to.", example: "1204-0f3a99c2")),
            .always(
                "is_reset", .flag("Nothing can be told of the state asked for: the lists are to be read.")),
            .always("has_more", .flag("There is more to be asked for at once.")),
            .always("tracks", .array(of: .named("Track"), "Tracks that are new or other than they were.")),
            .always(
                "albums", .array(of: .named("Album"), "Albums that are new or may be other than they were.")),
            .always(
                "artists",
                .array(of: .named("Artist"), "Artists that are new or may be other than they were.")),
            .always(
                "removed",
                .object(
                    [
                        .always("tracks", .array(of: .identifier(), "Tracks that are gone.")),
                        .always("albums", .array(of: .identifier(), "Albums that are gone.")),
                        .always("artists", .array(of: .identifier(), "Artists that are gone.")),
                    ], "Numbers of what is in no list any more.")),
            .maybe(
                "totals",
                .object(
                    [
                        .always("tracks", .integer("Tracks.")), .always("albums", .integer("Albums.")),
                        .always("artists", .integer("Artists.")),
                    ], "What the lists hold now, where there is no more to ask for.")),
        ], "What has become of the catalogue since a state.")

    private static let playlist = JSONSchema.object(
        [
            .always("id", .identifier("Number of the playlist.")),
            .always("name", .text("Its name; no two playlists have the same.")),
            .maybe("description", .text("What its owner says of it.")),
            .always("revision", .integer("How often it has been changed, beginning with 1.", minimum: 1)),
            .always("track_count", .integer("How many entries it has.")),
            .always("duration_seconds", .seconds("Length of its tracks together")),
            .always("created_at", .time("When it was made")),
            .always("changed_at", .time("When it last changed")),
            .maybe(
                "track_ids",
                .array(of: .identifier(), "The tracks of all entries in order; left out in lists.")),
            .maybe("entries", .named("PlaylistEntryPage")),
        ], "A playlist.")

    private static let entry = JSONSchema.object([
        .always("position", .integer("The place, counted from 0.")),
        .always("track", .named("Track")),
    ])
}
