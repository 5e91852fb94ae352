/// What a pass tells while it runs.
public enum PassEvent: Sendable {
    /// The folder was scanned.
    case scanned(PassPlan)
    /// A file was dealt with.
    case finished(TrackResult)
    /// A file was left alone, since it failed in an earlier pass and has not changed.
    case stillFailing(TrackFailure)
    /// A folder, or a link named .mp3, could not be read.
    case unreadable(TrackFailure)
}

/// Why something in the music folder is not analysed.
public struct TrackFailure: Sendable, Equatable {
    /// Where it is.
    public var path: RelativePath
    /// The stable name of the reason's kind.
    public var code: String
    /// The reason, for a person to read.
    public var message: String

    /// Puts the parts together.
    public init(path: RelativePath, code: String, message: String) {
        self.path = path
        self.code = code
        self.message = message
    }
}

/// What a scan found there is to do.
public struct PassPlan: Sendable, Equatable {
    /// Files named .mp3.
    public var fileCount: Int
    /// Files that need no work.
    public var unchangedCount: Int
    /// Files that failed in an earlier pass and have not changed since.
    public var stillFailingCount: Int
    /// Files to read.
    public var toDoCount: Int
    /// Bytes of the files to read.
    public var toDoBytes: Int
}

/// What came of one file.
public struct TrackResult: Sendable {
    /// Where the file is.
    public var path: RelativePath
    /// Its size in bytes.
    public var fileSize: Int
    /// What came of it.
    public var outcome: Outcome

    /// Kinds of outcome.
    public enum Outcome: Sendable {
        /// The audio was decoded and measured.
        case analyzed(audioSeconds: Double)
        /// The audio was known already: a moved, copied or re-tagged file.
        case linked
        /// The file could not be analysed.
        case failed(code: String, message: String)
        /// The file was gone when its turn came.
        case vanished
    }
}

/// What a whole pass came to.
public struct PassSummary: Sendable, Equatable {
    /// Files named .mp3.
    public var fileCount = 0
    /// Files that needed no work.
    public var unchangedCount = 0
    /// Files decoded and measured.
    public var analyzedCount = 0
    /// Files whose audio was known already.
    public var linkedCount = 0
    /// Files that could not be analysed, with those known from earlier passes.
    public var failedCount = 0
    /// Files gone since the scan.
    public var vanishedCount = 0
    /// Tracks of the library whose file is no longer there.
    public var removedCount = 0
    /// Files left for the next pass, as they may still be being written.
    public var unsettled: [RelativePath] = []
    /// How many those are.
    public var unsettledCount: Int { unsettled.count }
    /// Seconds of audio analysed.
    public var audioSeconds = 0.0
    /// Whether the pass was ended before it was through.
    public var wasCancelled = false

    /// Nothing yet.
    public init() {}
}
