/// Something that has happened, as `GET /ws/push` tells it.
///
/// On the wire an object whose `type` names the event, with the event's own keys beside it:
///
/// ```json
/// {"type":"tracks_added","tracks":[{"track_id":17,"relative_path":"Low/Was.mp3"}]}
/// {"type":"analysis_failed","relative_path":"bad.mp3","code":"not_mp3","message":"this is a text, not MP3 audio"}
/// {"type":"job_progress","job":{"id":3,"kind":"precompute","state":"running","total":100,"done":12,…}}
/// ```
public enum PushEvent: Sendable, Equatable {
    /// The first message of a connection. All that happens after it follows; where the client named a cursor and
    /// `isResumed` is true, all that has happened since as well.
    case welcome(isResumed: Bool)
    /// What has happened since the client's cursor is not known any more: fetch everything anew, then go on from here.
    case resync(reason: PushResyncReason)
    /// Tracks that are new, or there again.
    case tracksAdded([PushTrack])
    /// Tracks whose tags, audio or path have changed.
    case tracksChanged([PushTrack])
    /// Tracks whose file is gone.
    case tracksRemoved([PushTrack])
    /// Profiles that can be had now.
    case profilesReady([PushTrack])
    /// Visualizer frames that can be had now.
    case framesReady([PushTrack])
    /// A file that could not be analysed.
    case analysisFailed(FileFailure)
    /// How far a job has come.
    case jobProgress(JobReport)
    /// The library database is another one, and at rest for the moment: `GET /db` has it. Tells of playlists and album
    /// loudness too, which have no events of their own.
    case libraryChanged(revision: String)
    /// Stars, ratings or plays have changed.
    case listeningChanged
    /// Something else went wrong on the host's side, that its owner may want to know: a media server that could not be told
    /// of a change, for instance.
    case warning(code: String, message: String)
    /// An event of a newer host, by its type.
    case unknown(type: String)
}

/// Why a client has to fetch everything anew.
public enum PushResyncReason: String, Codable, Sendable, CaseIterable {
    /// The cursor is none of this host's, or of a former life of its data.
    case unknownCursor = "unknown_cursor"
    /// The client was away for so long that what has happened since is forgotten.
    case tooOld = "too_old"
}

/// A track that something has happened to.
public struct PushTrack: Codable, Sendable, Equatable {
    /// Number of the track in the library.
    public var trackID: Int
    /// Path in the music folder.
    public var relativePath: String
    /// Where it was before, if it has moved.
    public var previousPath: String?

    /// Puts the parts together.
    public init(trackID: Int, relativePath: String, previousPath: String? = nil) {
        self.trackID = trackID
        self.relativePath = relativePath
        self.previousPath = previousPath
    }

    private enum CodingKeys: String, CodingKey {
        case trackID = "track_id"
        case relativePath = "relative_path"
        case previousPath = "previous_path"
    }
}
