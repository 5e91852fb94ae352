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
        let divisions = try library.divisions()
        return try plan(
            contents.entries,
            Library(
                state: { states[$0] }, failure: { failures[$0] }, hasFrames: { known.contains($0) },
                division: { divisions[$0] }, sheets: { contents.cueSheets[$0.folder]?.state(for: $0) }))
    }

    /// Compares some files with the library, with a query for each.
    func plan(_ entries: [MusicFolder.Entry]) throws -> Plan {
        try plan(
            entries,
            Library(
                state: { isForced ? nil : try library.trackState(of: $0) },
                failure: { isForced ? nil : try library.failure(at: $0) },
                hasFrames: { try frames.hasCurrentSpectra(of: $0) },
                division: { try library.division(of: $0) },
                sheets: { music.cueSheets(beside: $0).state(for: $0) }))
    }

    /// Looks up a file in the library and in its folder.
    private struct Library {
        let state: (RelativePath) throws -> TrackState?
        let failure: (RelativePath) throws -> AnalysisFailure?
        let hasFrames: (AudioHash) throws -> Bool
        let division: (RelativePath) throws -> FileDivision?
        /// Identifies the cue sheets beside a file now.
        let sheets: (RelativePath) -> String?

        /// The tracks of a file that was read in its present state, with its present cue sheets; nil if it must be read.
        func currentTracks(of entry: MusicFolder.Entry, parts: AnalysisParts) throws -> [TrackState]? {
            let division = try division(entry.path)
            guard division?.sheets == sheets(entry.path) else { return nil }
            guard let division else { return try currentTrack(at: entry.path, of: entry, parts).map { [$0] } }
            var tracks: [TrackState] = []
            for path in division.trackPaths {
                guard let state = try currentTrack(at: path, of: entry, parts) else { return nil }
                tracks.append(state)
            }
            return tracks
        }

        private func currentTrack(
            at path: RelativePath, of entry: MusicFolder.Entry, _ parts: AnalysisParts
        ) throws -> TrackState? {
            guard let state = try state(path),
                try state.isCurrent(file: entry.file, parts: parts, hasFrames: hasFrames)
            else { return nil }
            return state
        }
    }

    private func plan(_ entries: [MusicFolder.Entry], _ library: Library) throws -> Plan {
        let settled = Date().timeIntervalSince1970 - settlingSeconds
        var plan = Plan()
        for entry in entries {
            if let tracks = try library.currentTracks(of: entry, parts: parts) {
                plan.returned += tracks.filter { !$0.isAvailable }
                plan.unchangedCount += 1
            } else if let failure = try library.failure(entry.path), isLeftAlone(failure, entry) {
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
