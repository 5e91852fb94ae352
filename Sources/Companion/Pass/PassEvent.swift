package import LibraryStore
package import MusicShared

/// An event during a pass.
package enum PassEvent: Sendable {
    /// The folder was scanned.
    case scanned(PassPlan)
    /// A file was processed.
    case finished(TrackResult)
    /// A file was skipped because it failed in an earlier pass and has not changed since.
    case stillFailing(TrackFailure)
    /// A folder, or a link named like a music file, could not be read.
    case unreadable(TrackFailure)
}

/// The reason why a file or folder was not analysed.
package struct TrackFailure: Sendable, Equatable {
    /// Its path.
    package var path: RelativePath
    /// The stable name of the kind of failure.
    package var code: String
    /// A readable explanation.
    package var message: String

    /// Creates a failure.
    package init(path: RelativePath, code: String, message: String) {
        self.path = path
        self.code = code
        self.message = message
    }
}

/// The work found by a scan.
package struct PassPlan: Sendable, Equatable {
    /// Number of music files.
    package var fileCount: Int
    /// Number of files that need no work.
    package var unchangedCount: Int
    /// Number of files that failed in an earlier pass and have not changed since.
    package var stillFailingCount: Int
    /// Number of files to read.
    package var toDoCount: Int
    /// Total size of the files to read, in bytes.
    package var toDoBytes: Int
}

/// The result for one file.
package struct TrackResult: Sendable {
    /// The file's path.
    package var path: RelativePath
    /// Its size in bytes.
    package var fileSize: Int
    /// The outcome.
    package var outcome: Outcome
    /// The reason why a cue sheet of the file was not used; nil if there was none.
    package var remark: String?

    /// The possible outcomes.
    package enum Outcome: Sendable {
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
package struct PassSummary: Sendable, Equatable {
    /// Number of music files.
    package var fileCount = 0
    /// Number of files that needed no work.
    package var unchangedCount = 0
    /// Number of files that were decoded and measured.
    package var analyzedCount = 0
    /// Number of files whose audio was already known.
    package var linkedCount = 0
    /// Number of files that could not be analysed, including those known from earlier passes.
    package var failedCount = 0
    /// Number of files deleted since the scan.
    package var vanishedCount = 0
    /// Number of tracks marked as missing because their files no longer exist.
    package var removedCount = 0
    /// Folders that are currently unavailable; their tracks are kept.
    package var unavailable: [UnavailableFolder] = []
    /// Files left for the next pass because they may still be incomplete.
    package var unsettled: [RelativePath] = []
    /// Number of unsettled files.
    package var unsettledCount: Int { unsettled.count }
    /// Seconds of audio analysed.
    package var audioSeconds = 0.0
    /// Whether the pass was cancelled before its end.
    package var wasCancelled = false

    /// Creates an empty summary.
    package init() {}
}
