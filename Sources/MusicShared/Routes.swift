/// The paths of the host's API, as patterns: `:name` stands for one path component.
public enum Routes {
    /// Prefixes of all paths of a single track, up to the track ID: a token for the track grants access to them.
    public static let ofOneTrack = ["/tracks/", "/api/tracks/", "/api/files/"]
    /// Prefix of an album's stream, up to the album ID: a token for the album grants access to it.
    public static let ofOneAlbum = "/albums/"
    /// Prefix of a playlist's stream, up to the playlist ID.
    public static let ofOnePlaylist = "/playlists/"
    /// Prefix of a station's paths, up to the station ID: a token for the station grants access to them.
    public static let ofOneStation = "/stations/"
    /// Health check; needs no key.
    public static let health = "/health"
    /// Metrics in Prometheus format.
    public static let metrics = "/metrics"
    /// Triggers a Navidrome scan.
    public static let rescan = "/rescan"
    /// Checks the key and identifies the host.
    public static let auth = "/auth"
    /// Creates a token for one track.
    public static let token = "/auth/token"
    /// Signs in with an account's name and password, which needs no key; `DELETE` signs out.
    public static let signIn = "/auth/sign-in"
    /// Changes the password of the caller's account.
    public static let ownPassword = "/auth/password"
    /// The accounts; `POST` creates one.
    public static let accounts = "/accounts"
    /// One account; `PATCH` changes, `DELETE` deletes it.
    public static let account = "/accounts/:account_id"
    /// Passwords for OpenSubsonic apps, with the host's addresses; `POST` creates one.
    public static let appPasswords = "/account/app-passwords"
    /// One app password; `DELETE` revokes it.
    public static let appPassword = "/account/app-passwords/:password_id"
    /// An address as a QR code: `?url=`.
    public static let qrCode = "/account/qr-code"
    /// State of the services that plays are forwarded to.
    public static let scrobbling = "/account/scrobbling"
    /// Forwarding to ListenBrainz; `PUT` connects, `DELETE` disconnects.
    public static let listenBrainz = "/account/scrobbling/listenbrainz"
    /// Forwarding to Last.fm; `PUT` begins to connect, `DELETE` disconnects.
    public static let lastFM = "/account/scrobbling/lastfm"
    /// Completes the connection to Last.fm.
    public static let lastFMSession = "/account/scrobbling/lastfm/session"
    /// Addresses that open some music without a key; `POST` creates one.
    public static let shares = "/shares"
    /// One share; `PATCH` changes, `DELETE` revokes it.
    public static let share = "/shares/:share_id"
    /// OpenAPI description of this API; needs no key.
    public static let openAPI = "/openapi.json"
    /// AsyncAPI description of the WebSockets; needs no key.
    public static let asyncAPI = "/asyncapi.json"
    /// The WebSocket for commands and events.
    public static let remoteChannel = "/ws"
    /// Clients on the remote channel.
    public static let clients = "/clients"
    /// The host's own player: `PATCH` plays, pauses, skips, seeks and sets the volume.
    public static let jukebox = "/jukebox"
    /// The jukebox's queue; `PUT` replaces it.
    public static let jukeboxQueue = "/jukebox/queue"
    /// Entries of the jukebox's queue; `POST` adds some.
    public static let jukeboxEntries = "/jukebox/queue/entries"
    /// One entry of the jukebox's queue; `PATCH` moves, `DELETE` removes it.
    public static let jukeboxEntry = "/jukebox/queue/entries/:position"
    /// Shuffles the jukebox's queue.
    public static let jukeboxShuffle = "/jukebox/queue/shuffle"
    /// The library database.
    public static let database = "/db"
    /// State of everything that hosts which follow this one copy.
    public static let replicaState = "/replica/state"
    /// Changed rows of the library.
    public static let replicaChanges = "/replica/changes"
    /// Accounts and listening data.
    public static let replicaListening = "/replica/listening"
    /// App passwords, encrypted.
    public static let replicaCredentials = "/replica/credentials"
    /// Whether a load balancer should send requests; needs no key.
    public static let ready = "/ready"
    /// Confirms that unavailable folders are gone.
    public static let removalConfirmation = "/library/unavailable-folders/confirm"
    /// HLS media playlist.
    public static let mediaPlaylist = "/tracks/:id/stream.m3u8"
    /// HLS master playlist.
    public static let masterPlaylist = "/tracks/:id/master.m3u8"
    /// A packed-audio segment.
    public static let segment = "/tracks/:id/segments/:index.mp3"
    /// A fragmented MP4 segment.
    public static let fragment = "/tracks/:id/segments/:index.m4s"
    /// The initialization segment of the fragmented MP4 segments.
    public static let initializationSegment = "/tracks/:id/init.mp4"
    /// The track as one fragmented MP4 file with its original frames.
    public static let fragmentedFile = "/tracks/:id/audio.mp4"
    /// The MP3 file that a track of another format is converted to.
    public static let convertedFile = "/tracks/:id/audio.mp3"
    /// Byte ranges of the segments in the original file, for players that decode themselves.
    public static let segmentIndex = "/tracks/:id/segments.json"
    /// HLS media playlist of all tracks on an album.
    public static let albumStream = "/albums/:album_id/stream.m3u8"
    /// HLS media playlist of all tracks in a playlist.
    public static let playlistStream = "/playlists/:playlist_id/stream.m3u8"
    /// The original file.
    public static let file = "/api/files/:id/stream"
    /// The original file at a URL with an extension, which some players require.
    public static let fileWithExtension = "/api/files/:id/stream.mp3"
    /// All measurements of a track.
    public static let analysis = "/tracks/:id/analysis"
    /// Files that could not be analysed.
    public static let analysisFailures = "/analysis/failures"
    /// Visualizer frames.
    public static let visualizer = "/tracks/:id/visualizer"
    /// Waveform overview.
    public static let waveform = "/tracks/:id/waveform"
    /// Mixing data of a track by its path: `?relative_path=`.
    public static let profile = "/smart-dj/profile"
    /// Mixing data of many tracks: `?paths=`, or `POST` with a list.
    public static let bulkProfiles = "/smart-dj/bulk-profiles"
    /// Analyses files ahead of time: one, many or all.
    public static let precompute = "/visualizer/precompute"
    /// The jobs.
    public static let jobs = "/jobs"
    /// One job; `DELETE` cancels it.
    public static let job = "/jobs/:job_id"
    /// The event WebSocket: `?since=` with a cursor resumes from there.
    public static let push = "/ws/push"
    /// Visualizer frames by a track's path, as an array: `?relative_path=`.
    public static let frames = "/visualizer/frames"
    /// Tags of a file: `?relative_path=`; `PATCH` edits them.
    public static let editMetadata = "/edit-metadata"
    /// Edits the tags of many files.
    public static let batchEditMetadata = "/batch-edit-metadata"
    /// Fixes common tag problems.
    public static let bulkFix = "/bulk-fix"
    /// Edits of tags that can be undone.
    public static let edits = "/edits"
    /// One edit; `DELETE` forgets it.
    public static let edit = "/edits/:edit_id"
    /// Restores the values before an edit.
    public static let editUndoing = "/edits/:edit_id/undo"
    /// Writes ReplayGain tags.
    public static let replayGain = "/replaygain"
    /// Uploads files to the music folder: a form, or the raw content of one file.
    public static let upload = "/upload-track"
    /// `POST` starts an upload in parts.
    public static let resumableUploads = "/upload-track/resumable"
    /// An upload in parts; `PUT` adds a part, `DELETE` cancels it.
    public static let resumableUpload = "/upload-track/resumable/:upload_id"
    /// The trash; `DELETE` empties it.
    public static let trash = "/trash"
    /// A file in the trash; `DELETE` deletes it permanently.
    public static let trashItem = "/trash/:trash_id"
    /// Restores a file from the trash.
    public static let restoration = "/trash/:trash_id/restore"
    /// Files with the same recording.
    public static let duplicates = "/duplicates"
    /// Moves files with the same recording to the trash.
    public static let duplicateRemoval = "/duplicates/removal"
    /// A track: `DELETE` moves its file to the trash.
    public static let trackFile = "/tracks/:id"
    /// Tracks that sound like one.
    public static let similarTracks = "/tracks/:track_id/similar"
    /// An endless queue: `?track=`, `?artist=`, `?album=` or `?genre=`.
    public static let radio = "/radio"
    /// Internet radio stations: `?query=`; `POST` adds one.
    public static let stations = "/stations"
    /// One radio station; `PATCH` changes, `DELETE` removes it.
    public static let station = "/stations/:station_id"
    /// `POST` finds the stream behind an address.
    public static let stationCheck = "/stations/check"
    /// The recordings of radio stations, with those in progress.
    public static let stationRecordings = "/stations/recordings"
    /// One recording; `DELETE` removes it from the list, and keeps its file.
    public static let stationRecordingItem = "/stations/recordings/:recording_id"
    /// Recording of a station: `PUT` starts, `DELETE` ends it.
    public static let stationRecording = "/stations/:station_id/recording"
    /// A station as a live HLS playlist of up to the last hour.
    public static let stationPlaylist = "/stations/:station_id/live.m3u8"
    /// The segments and titles of up to the last hour of a station, and the state of its connection.
    public static let stationTimeline = "/stations/:station_id/timeline"
    /// A segment of a station with MP3 frames.
    public static let stationMP3Segment = "/stations/:station_id/segments/:number.mp3"
    /// A segment of a station with AAC frames.
    public static let stationAACSegment = "/stations/:station_id/segments/:number.aac"
    /// A path of tracks between two: `?from=&to=`.
    public static let path = "/path"
    /// A map of the library by its sound.
    public static let libraryMap = "/library/map"
    /// Transition between two tracks.
    public static let crossfade = "/crossfade"
    /// Sorts tracks so that each one mixes well with the next.
    public static let mix = "/mix"
    /// Cover of a track: `?size=` for a smaller one.
    public static let trackCover = "/tracks/:id/cover"

    /// Lyrics of a track by its path: `?relative_path=`; `PUT` writes, `DELETE` removes them.
    public static let lyrics = "/lyrics"
    /// Lyrics of a track.
    public static let trackLyrics = "/tracks/:id/lyrics"

    /// Listener actions: stars, ratings, plays.
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
    /// How often each track was played.
    public static let playCounts = "/listening/play-counts"
    /// Currently playing tracks.
    public static let nowPlaying = "/listening/now-playing"
    /// Play history; `DELETE` clears it.
    public static let listeningHistory = "/listening/history"
    /// One play in the history.
    public static let play = "/listening/history/:play_id"
    /// All listening data as a file.
    public static let listeningExport = "/listening/export"

    // A token for a track grants access to the routes whose `id` is that track's. Other resources use other placeholders;
    // otherwise a token for track 7 would also open album 7.

    /// All tracks in the catalogue.
    public static let tracks = "/api/tracks"
    /// `POST` finds tracks by their IDs, audio hashes and paths.
    public static let trackLookup = "/api/tracks/lookup"
    /// Random tracks.
    public static let randomTracks = "/api/tracks/random"
    /// One track in the catalogue.
    public static let track = "/api/tracks/:id"
    /// All albums in the catalogue.
    public static let albums = "/api/albums"
    /// One album, with its tracks.
    public static let album = "/api/albums/:album_id"
    /// Cover of an album.
    public static let albumCover = "/api/albums/:album_id/cover"
    /// All artists in the catalogue.
    public static let artists = "/api/artists"
    /// One artist, with their albums.
    public static let artist = "/api/artists/:artist_id"
    /// All genres, with the numbers of their tracks and albums.
    public static let genres = "/api/genres"
    /// All years, with the numbers of their tracks.
    public static let years = "/api/years"
    /// Catalogue changes since a revision: `?since=`.
    public static let changes = "/api/changes"
    /// A track in the format of another system: `?format=`.
    public static let trackExport = "/api/tracks/:id/export"
    /// The tracks of an album in the format of another system.
    public static let albumExport = "/api/albums/:album_id/export"
    /// The tracks of a playlist in the format of another system.
    public static let playlistExport = "/api/playlists/:playlist_id/export"
    /// Playlists; `POST` creates one.
    public static let playlists = "/api/playlists"
    /// One playlist; `PATCH` changes its name or description, `DELETE` removes it.
    public static let playlist = "/api/playlists/:playlist_id"
    /// The tracks of a playlist; `PUT` replaces them all.
    public static let playlistTracks = "/api/playlists/:playlist_id/tracks"
    /// Entries of a playlist; `POST` adds some.
    public static let playlistEntries = "/api/playlists/:playlist_id/entries"
    /// One entry of a playlist; `PATCH` moves, `DELETE` removes it.
    public static let playlistEntry = "/api/playlists/:playlist_id/entries/:position"

    /// A smart playlist as a file in Navidrome's `.nsp` format.
    public static let smartPlaylistFile = "/api/playlists/:playlist_id/nsp"
    /// `POST` creates a smart playlist from such a file.
    public static let smartPlaylists = "/api/smart-playlists"
    /// `POST` counts the tracks that rules select.
    public static let smartPlaylistCount = "/api/smart-playlists/count"
    /// `POST` lists the tracks that rules select.
    public static let smartPlaylistTracks = "/api/smart-playlists/tracks"
    /// The fields that rules can compare.
    public static let smartPlaylistFields = "/api/smart-playlists/fields"

    /// Returns the path of a resource: a pattern with an ID in place of its first placeholder.
    public static func path(_ pattern: String, _ id: Int) -> String {
        let parts = pattern.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard parts.count == 2 else { return pattern }
        let rest = parts[1].firstIndex(of: UInt8(ascii: "/")).map { parts[1][$0...] }
        return "\(Substring(parts[0]))\(id)\(rest.map { Substring($0) } ?? "")"
    }
}
