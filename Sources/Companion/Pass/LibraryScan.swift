internal import Analyzer
internal import Foundation
internal import LibraryStore
internal import MusicFiles
internal import MusicShared

/// Determines which files of a music folder need to be read.
struct LibraryScan: Sendable {
    let music: MusicFolder
    let library: LibraryStore
    let frames: SpectrumStore
    var parts: AnalysisParts = .all
    var isForced = false
    /// Files changed less than this many seconds ago may still be incomplete.
    var settlingSeconds = 0.0
    /// Whether files with errors that may be temporary are skipped after several attempts.
    var givesUp = false

    /// The result of a scan.
    struct Plan {
        var toDo: [MusicFolder.Entry] = []
        var knownFailures: [TrackFailure] = []
        var unchangedCount = 0
        /// Tracks that were marked as missing, but are back unchanged.
        var returned: [TrackState] = []
        /// Files that may still be incomplete.
        var unsettled: [RelativePath] = []
    }

    /// Compares all files of the folder with the library.
    func plan(_ contents: MusicFolder.Contents) throws -> Plan {
        var states: [RelativePath: TrackState] = [:]
        var failures: [RelativePath: AnalysisFailure] = [:]
        if !isForced {
            try library.forEachTrackState { states[$0.path] = $0 }
            for failure in try library.failures() { failures[failure.path] = failure }
        }
        let known = parts.contains(.frames) ? try frames.currentHashes() : []
        return try plan(contents.entries) {
            states[$0]
        } failure: {
            failures[$0]
        } hasFrames: {
            known.contains($0)
        }
    }

    /// Compares some files with the library, with a query for each.
    func plan(_ entries: [MusicFolder.Entry]) throws -> Plan {
        try plan(entries) {
            isForced ? nil : try library.trackState(of: $0)
        } failure: {
            isForced ? nil : try library.failure(at: $0)
        } hasFrames: {
            try frames.hasCurrentSpectra(of: $0)
        }
    }

    private func plan(
        _ entries: [MusicFolder.Entry],
        state: (RelativePath) throws -> TrackState?,
        failure: (RelativePath) throws -> AnalysisFailure?,
        hasFrames: (AudioHash) throws -> Bool
    ) throws -> Plan {
        let settled = Date().timeIntervalSince1970 - settlingSeconds
        var plan = Plan()
        for entry in entries {
            if let state = try state(entry.path),
                try state.isCurrent(file: entry.file, parts: parts, hasFrames: hasFrames)
            {
                if !state.isAvailable { plan.returned.append(state) }
                plan.unchangedCount += 1
            } else if let failure = try failure(entry.path), isLeftAlone(failure, entry) {
                plan.knownFailures.append(
                    TrackFailure(path: entry.path, code: failure.errorCode, message: failure.message))
            } else if settlingSeconds > 0,
                Double(entry.file.modificationTimeNanoseconds) / 1e9 > settled || music.isBeingWritten(entry)
            {
                plan.unsettled.append(entry.path)
            } else {
                plan.toDo.append(entry)
            }
        }
        return plan
    }

    private func isLeftAlone(_ failure: AnalysisFailure, _ entry: MusicFolder.Entry) -> Bool {
        givesUp ? failure.isGivenUp(file: entry.file) : failure.isLasting(file: entry.file)
    }
}

extension LibraryStore {
    /// Marks tracks as available and logs events for clients.
    func markReturned(_ tracks: [TrackState], telling store: WorkStore) throws {
        guard !tracks.isEmpty else { return }
        try markAvailable(tracks.map(\.trackID))
        try store.announce([
            .tracksAdded(tracks.map { PushTrack(trackID: $0.trackID, relativePath: $0.path.text) })
        ])
    }
}
