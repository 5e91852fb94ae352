/// An event sent on `GET /ws/push`.
///
/// Encoded as an object whose `type` names the event, next to the event's own keys:
///
/// ```json
/// {"type":"tracks_added","tracks":[{"track_id":17,"relative_path":"Low/Was.mp3"}]}
/// {"type":"analysis_failed","relative_path":"bad.mp3","code":"no_audio","message":"this is a text file, not audio"}
/// {"type":"job_progress","job":{"id":3,"kind":"precompute","state":"running","total":100,"done":12,…}}
/// ```
public enum PushEvent: Sendable, Equatable {
    /// The first message of a connection. All later events follow; if the client sent a cursor and `isResumed` is true, the
    /// events since that cursor follow as well.
    case welcome(isResumed: Bool)
    /// The events since the client's cursor are no longer known: reload everything, then continue from here.
    case resync(reason: PushResyncReason)
    /// Tracks that are new or available again.
    case tracksAdded([PushTrack])
    /// Tracks whose tags, audio or path have changed.
    case tracksChanged([PushTrack])
    /// Tracks whose files are gone.
    case tracksRemoved([PushTrack])
    /// Tracks whose profiles are now available.
    case profilesReady([PushTrack])
    /// Tracks whose visualizer frames are now available.
    case spectraReady([PushTrack])
    /// A file that could not be analysed.
    case analysisFailed(FileFailure)
    /// Progress of a job.
    case jobProgress(JobReport)
    /// The library database has changed and is settled for now; fetch it with `GET /db`. Also sent for playlists and album
    /// loudness, which have no events of their own.
    case libraryChanged(revision: String)
    /// Stars, ratings or plays have changed.
    case listeningChanged
    /// A problem on the host that its owner should know about, such as a media server that could not be notified of a change.
    case warning(code: String, message: String)
    /// An event from a newer host, with its type.
    case unknown(type: String)
}

/// Why a client must reload everything.
public enum PushResyncReason: String, Codable, Sendable, CaseIterable {
    /// The cursor is from another host or another epoch of its data.
    case unknownCursor = "unknown_cursor"
    /// The client was away longer than the retention window.
    case tooOld = "too_old"
}

/// A track affected by an event.
public struct PushTrack: Codable, Sendable, Equatable {
    /// Track ID in the library.
    public var trackID: Int
    /// Path relative to the music folder.
    public var relativePath: String
    /// The previous path, if the file was moved.
    public var previousPath: String?

    /// Memberwise initializer.
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
