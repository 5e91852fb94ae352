public import MusicShared

/// An event during a pass.
public enum PassEvent: Sendable {
    /// The folder was scanned.
    case scanned(PassPlan)
    /// A file was processed.
    case finished(TrackResult)
    /// A file was skipped because it failed in an earlier pass and has not changed since.
    case stillFailing(TrackFailure)
    /// A folder, or a link named .mp3, could not be read.
    case unreadable(TrackFailure)
}

/// The reason why a file or folder was not analysed.
public struct TrackFailure: Sendable, Equatable {
    /// Its path.
    public var path: RelativePath
    /// The stable name of the kind of failure.
    public var code: String
    /// A readable explanation.
    public var message: String

    /// Creates a failure.
    public init(path: RelativePath, code: String, message: String) {
        self.path = path
        self.code = code
        self.message = message
    }
}

/// The work found by a scan.
public struct PassPlan: Sendable, Equatable {
    /// Number of .mp3 files.
    public var fileCount: Int
    /// Number of files that need no work.
    public var unchangedCount: Int
    /// Number of files that failed in an earlier pass and have not changed since.
    public var stillFailingCount: Int
    /// Number of files to read.
    public var toDoCount: Int
    /// Total size of the files to read, in bytes.
    public var toDoBytes: Int
}

/// The result for one file.
public struct TrackResult: Sendable {
    /// The file's path.
    public var path: RelativePath
    /// Its size in bytes.
    public var fileSize: Int
    /// The outcome.
    public var outcome: Outcome

    /// The possible outcomes.
    public enum Outcome: Sendable {
        /// The audio was decoded and measured.
        case analyzed(audioSeconds: Double)
        /// The audio was already known: the file was moved, copied or retagged.
        case linked
        /// The file could not be analysed.
        case failed(code: String, message: String)
        /// The file no longer existed when its turn came.
        case vanished
    }
}

/// The results of a whole pass.
public struct PassSummary: Sendable, Equatable {
    /// Number of .mp3 files.
    public var fileCount = 0
    /// Number of files that needed no work.
    public var unchangedCount = 0
    /// Number of files that were decoded and measured.
    public var analyzedCount = 0
    /// Number of files whose audio was already known.
    public var linkedCount = 0
    /// Number of files that could not be analysed, including those known from earlier passes.
    public var failedCount = 0
    /// Number of files deleted since the scan.
    public var vanishedCount = 0
    /// Number of tracks marked as missing because their files no longer exist.
    public var removedCount = 0
    /// Folders that are currently unavailable; their tracks are kept.
    public var unavailable: [UnavailableFolder] = []
    /// Files left for the next pass because they may still be incomplete.
    public var unsettled: [RelativePath] = []
    /// Number of unsettled files.
    public var unsettledCount: Int { unsettled.count }
    /// Seconds of audio analysed.
    public var audioSeconds = 0.0
    /// Whether the pass was cancelled before its end.
    public var wasCancelled = false

    /// Creates an empty summary.
    public init() {}
}
