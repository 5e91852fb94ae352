/// A recording of a station in progress.
public struct StationRecordingState: Codable, Sendable, Equatable {
    /// The station.
    public var stationID: Int
    /// The station's name when the recording started.
    public var stationName: String
    /// When it started, in seconds since 1970.
    public var startedAt: Double
    /// Seconds of audio so far.
    public var durationSeconds: Double
    /// Number of files that are in the library so far.
    public var fileCount: Int
    /// Why the last file could not be kept; nil if all could.
    public var message: String?

    /// Memberwise initializer.
    public init(
        stationID: Int, stationName: String, startedAt: Double, durationSeconds: Double, fileCount: Int,
        message: String?
    ) {
        self.stationID = stationID
        self.stationName = stationName
        self.startedAt = startedAt
        self.durationSeconds = durationSeconds
        self.fileCount = fileCount
        self.message = message
    }

    private enum CodingKeys: String, CodingKey {
        case message
        case stationID = "station_id"
        case stationName = "station_name"
        case startedAt = "started_at"
        case durationSeconds = "duration_seconds"
        case fileCount = "file_count"
    }
}

/// A recorded file.
public struct StationRecordingItem: Codable, Sendable, Equatable, Identifiable {
    /// Recording ID.
    public var id: Int
    /// The name of the station.
    public var stationName: String
    /// The title as the station reported it; empty if it reported none.
    public var title: String
    /// When its first sample was on air, in seconds since 1970.
    public var recordedAt: Double
    /// Duration in seconds.
    public var durationSeconds: Double
    /// The track in the library; nil if it was removed, or is not in the catalogue yet.
    public var trackID: Int?

    /// Memberwise initializer.
    public init(
        id: Int, stationName: String, title: String, recordedAt: Double, durationSeconds: Double,
        trackID: Int?
    ) {
        self.id = id
        self.stationName = stationName
        self.title = title
        self.recordedAt = recordedAt
        self.durationSeconds = durationSeconds
        self.trackID = trackID
    }

    private enum CodingKeys: String, CodingKey {
        case id, title
        case stationName = "station_name"
        case recordedAt = "recorded_at"
        case durationSeconds = "duration_seconds"
        case trackID = "track_id"
    }
}

/// The recordings of stations.
public struct StationRecordingList: Codable, Sendable, Equatable {
    /// Recorded files, the newest first.
    public var items: [StationRecordingItem]
    /// Recordings in progress.
    public var active: [StationRecordingState]

    /// Memberwise initializer.
    public init(items: [StationRecordingItem], active: [StationRecordingState]) {
        self.items = items
        self.active = active
    }
}
