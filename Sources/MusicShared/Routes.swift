/// The paths of the host's API, as patterns: `:name` stands for one part of a path.
public enum Routes {
    /// What all paths that belong to one track begin with, before the track's number: a token for the track opens them.
    public static let ofOneTrack = ["/tracks/", "/api/tracks/", "/api/files/"]
    /// Whether the host is up; needs no key.
    public static let health = "/health"
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
    /// The original file.
    public static let file = "/api/files/:id/stream"
    /// All measurements of a track.
    public static let analysis = "/tracks/:id/analysis"
    /// Visualizer frames.
    public static let visualizer = "/tracks/:id/visualizer"
    /// Waveform overview.
    public static let waveform = "/tracks/:id/waveform"
    /// What a player needs to mix a track with others, by its path: `?relative_path=`.
    public static let profile = "/smart-dj/profile"
    /// The same of many tracks: `?paths=`, or `POST` with a list.
    public static let bulkProfiles = "/smart-dj/bulk-profiles"
    /// Visualizer frames by a track's path, as an array: `?relative_path=`.
    public static let frames = "/visualizer/frames"
    /// How one track goes over into another.
    public static let crossfade = "/crossfade"
    /// Cover of a track: `?size=` for a smaller one.
    public static let trackCover = "/tracks/:id/cover"

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
