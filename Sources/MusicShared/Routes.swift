/// The paths of the host's API, as patterns: `:name` stands for one part of a path.
public enum Routes {
    /// What all paths that belong to one track begin with, before the track's number: a token for the track opens them.
    public static let ofOneTrack = ["/tracks/", "/api/tracks/", "/api/files/"]
    /// What the stream of an album begins with, before the album's number: a token for the album opens it.
    public static let ofOneAlbum = "/albums/"
    /// What the stream of a playlist begins with, before the playlist's number.
    public static let ofOnePlaylist = "/playlists/"
    /// Whether the host is up; needs no key.
    public static let health = "/health"
    /// What the host counts and measures, in Prometheus' form.
    public static let metrics = "/metrics"
    /// Has Navidrome look for changes.
    public static let rescan = "/rescan"
    /// Checks the key and tells who answers.
    public static let auth = "/auth"
    /// Makes a token for one track.
    public static let token = "/auth/token"
    /// Description of this API in OpenAPI's form; needs no key.
    public static let openAPI = "/openapi.json"
    /// Description of the WebSockets in AsyncAPI's form; needs no key.
    public static let asyncAPI = "/asyncapi.json"
    /// The WebSocket of commands and events.
    public static let remoteChannel = "/ws"
    /// Who is on the remote channel.
    public static let clients = "/clients"
    /// The library database.
    public static let database = "/db"
    /// HLS media playlist.
    public static let mediaPlaylist = "/tracks/:id/stream.m3u8"
    /// HLS master playlist.
    public static let masterPlaylist = "/tracks/:id/master.m3u8"
    /// A packed-audio segment.
    public static let segment = "/tracks/:id/segments/:index.mp3"
    /// Where the segments lie in the original file, for players that decode themselves.
    public static let segmentIndex = "/tracks/:id/segments.json"
    /// HLS media playlist of all tracks of an album.
    public static let albumStream = "/albums/:album_id/stream.m3u8"
    /// HLS media playlist of all tracks of a playlist.
    public static let playlistStream = "/playlists/:playlist_id/stream.m3u8"
    /// The original file.
    public static let file = "/api/files/:id/stream"
    /// All measurements of a track.
    public static let analysis = "/tracks/:id/analysis"
    /// Files that could not be analysed.
    public static let analysisFailures = "/analysis/failures"
    /// Visualizer frames.
    public static let visualizer = "/tracks/:id/visualizer"
    /// Waveform overview.
    public static let waveform = "/tracks/:id/waveform"
    /// What a player needs to mix a track with others, by its path: `?relative_path=`.
    public static let profile = "/smart-dj/profile"
    /// The same of many tracks: `?paths=`, or `POST` with a list.
    public static let bulkProfiles = "/smart-dj/bulk-profiles"
    /// Has files analysed ahead of time: one, many or all.
    public static let precompute = "/visualizer/precompute"
    /// The jobs.
    public static let jobs = "/jobs"
    /// One job; `DELETE` ends it.
    public static let job = "/jobs/:job_id"
    /// The WebSocket of what happens: `?since=` a cursor for what has happened since.
    public static let push = "/ws/push"
    /// Visualizer frames by a track's path, as an array: `?relative_path=`.
    public static let frames = "/visualizer/frames"
    /// Tags of a file: `?relative_path=`; `PATCH` edits them.
    public static let editMetadata = "/edit-metadata"
    /// Edits the tags of many files.
    public static let batchEditMetadata = "/batch-edit-metadata"
    /// Fixes what is often wrong with tags.
    public static let bulkFix = "/bulk-fix"
    /// Writes ReplayGain tags.
    public static let replayGain = "/replaygain"
    /// Files for the music folder: a form, or one file as it is.
    public static let upload = "/upload-track"
    /// `POST` opens an upload that is sent in parts.
    public static let resumableUploads = "/upload-track/resumable"
    /// An upload that is sent in parts; `PUT` adds a part, `DELETE` gives it up.
    public static let resumableUpload = "/upload-track/resumable/:upload_id"
    /// What was put into the trash; `DELETE` empties it.
    public static let trash = "/trash"
    /// A file in the trash; `DELETE` deletes it for good.
    public static let trashItem = "/trash/:trash_id"
    /// Gives a file of the trash its place back.
    public static let restoration = "/trash/:trash_id/restore"
    /// A track: `DELETE` puts its file into the trash.
    public static let trackFile = "/tracks/:id"
    /// How one track goes over into another.
    public static let crossfade = "/crossfade"
    /// Cover of a track: `?size=` for a smaller one.
    public static let trackCover = "/tracks/:id/cover"

    /// Lyrics of a track by its path: `?relative_path=`; `PUT` writes, `DELETE` removes them.
    public static let lyrics = "/lyrics"
    /// Lyrics of a track.
    public static let trackLyrics = "/tracks/:id/lyrics"

    /// What a listener did: stars, ratings, plays.
    public static let listeningActions = "/listening/actions"
    /// Starred, rated and played tracks: `?list=`.
    public static let listenedTracks = "/listening/tracks"
    /// Star, rating and plays of a track.
    public static let listenedTrack = "/listening/tracks/:track_id"
    /// Starred, rated and played albums: `?list=`.
    public static let listenedAlbums = "/listening/albums"
    /// Star, rating and plays of an album.
    public static let listenedAlbum = "/listening/albums/:album_id"
    /// Starred, rated and played artists: `?list=`.
    public static let listenedArtists = "/listening/artists"
    /// Star, rating and plays of an artist.
    public static let listenedArtist = "/listening/artists/:artist_id"
    /// What is playing at the moment.
    public static let nowPlaying = "/listening/now-playing"
    /// What was played; `DELETE` forgets.
    public static let listeningHistory = "/listening/history"
    /// One play of the history.
    public static let play = "/listening/history/:play_id"
    /// All that was listened to, as a file.
    public static let listeningExport = "/listening/export"

    // A token for a track opens the routes whose `id` is that track's. Other things have placeholders of other names, or
    // a token for track 7 would open album 7.

    /// Tracks of the catalogue.
    public static let tracks = "/api/tracks"
    /// One track of the catalogue.
    public static let track = "/api/tracks/:id"
    /// Albums of the catalogue.
    public static let albums = "/api/albums"
    /// One album, with its tracks.
    public static let album = "/api/albums/:album_id"
    /// Cover of an album.
    public static let albumCover = "/api/albums/:album_id/cover"
    /// Artists of the catalogue.
    public static let artists = "/api/artists"
    /// One artist, with the albums.
    public static let artist = "/api/artists/:artist_id"
    /// What has become of the catalogue since a state: `?since=`.
    public static let changes = "/api/changes"
    /// A track in a form of another system: `?format=`.
    public static let trackExport = "/api/tracks/:id/export"
    /// The tracks of an album in a form of another system.
    public static let albumExport = "/api/albums/:album_id/export"
    /// The tracks of a playlist in a form of another system.
    public static let playlistExport = "/api/playlists/:playlist_id/export"
    /// Playlists; `POST` makes one.
    public static let playlists = "/api/playlists"
    /// One playlist; `PATCH` renames, `DELETE` removes it.
    public static let playlist = "/api/playlists/:playlist_id"
    /// The tracks of a playlist; `PUT` replaces them all.
    public static let playlistTracks = "/api/playlists/:playlist_id/tracks"
    /// Entries of a playlist; `POST` adds some.
    public static let playlistEntries = "/api/playlists/:playlist_id/entries"
    /// One entry of a playlist; `PATCH` moves, `DELETE` removes it.
    public static let playlistEntry = "/api/playlists/:playlist_id/entries/:position"

    /// The path of one thing: a pattern with a number in the place of its first placeholder.
    public static func path(_ pattern: String, _ id: Int) -> String {
        var isFilled = false
        return pattern.split(separator: "/").map { part -> String in
            guard part.hasPrefix(":"), !isFilled else { return "/\(part)" }
            isFilled = true
            return "/\(id)"
        }.joined()
    }
}
