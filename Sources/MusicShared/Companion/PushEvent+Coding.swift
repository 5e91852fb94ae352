extension PushEvent: Codable {
    /// Keys of an event and of the enclosing message.
    enum CodingKeys: String, CodingKey {
        case type, tracks, job, revision, reason, code, message
        case isResumed = "is_resumed"
    }

    /// The event's name on the wire.
    public var type: String {
        switch self {
        case .welcome: "welcome"
        case .resync: "resync"
        case .tracksAdded: "tracks_added"
        case .tracksChanged: "tracks_changed"
        case .tracksRemoved: "tracks_removed"
        case .profilesReady: "profiles_ready"
        case .spectraReady: "frames_ready"
        case .analysisFailed: "analysis_failed"
        case .jobProgress: "job_progress"
        case .libraryChanged: "library_changed"
        case .listeningChanged: "listening_changed"
        case .warning: "warning"
        case .unknown(let type): type
        }
    }

    /// Encodes the event.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        switch self {
        case .welcome(let isResumed): try container.encode(isResumed, forKey: .isResumed)
        case .resync(let reason): try container.encode(reason, forKey: .reason)
        case .tracksAdded(let tracks), .tracksChanged(let tracks), .tracksRemoved(let tracks),
            .profilesReady(let tracks), .spectraReady(let tracks):
            try container.encode(tracks, forKey: .tracks)
        case .analysisFailed(let failure): try failure.encode(to: encoder)
        case .jobProgress(let job): try container.encode(job, forKey: .job)
        case .libraryChanged(let revision): try container.encode(revision, forKey: .revision)
        case .warning(let code, let message):
            try container.encode(code, forKey: .code)
            try container.encode(message, forKey: .message)
        case .listeningChanged, .unknown: break
        }
    }

    /// Decodes an event. Unknown types become ``unknown(type:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func tracks() throws -> [PushTrack] { try container.decode([PushTrack].self, forKey: .tracks) }
        let type = try container.decode(String.self, forKey: .type)
        switch type {
        case "welcome": self = .welcome(isResumed: try container.decode(Bool.self, forKey: .isResumed))
        case "resync": self = .resync(reason: try container.decode(PushResyncReason.self, forKey: .reason))
        case "tracks_added": self = .tracksAdded(try tracks())
        case "tracks_changed": self = .tracksChanged(try tracks())
        case "tracks_removed": self = .tracksRemoved(try tracks())
        case "profiles_ready": self = .profilesReady(try tracks())
        case "frames_ready": self = .spectraReady(try tracks())
        case "analysis_failed": self = .analysisFailed(try FileFailure(from: decoder))
        case "job_progress": self = .jobProgress(try container.decode(JobReport.self, forKey: .job))
        case "library_changed":
            self = .libraryChanged(revision: try container.decode(String.self, forKey: .revision))
        case "listening_changed": self = .listeningChanged
        case "warning":
            self = .warning(
                code: try container.decode(String.self, forKey: .code),
                message: try container.decode(String.self, forKey: .message))
        default: self = .unknown(type: type)
        }
    }
}
