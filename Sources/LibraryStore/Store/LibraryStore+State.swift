package import Analyzer
package import Foundation
package import MusicShared
internal import SQLiteDatabase

/// The library's state of a file, used to decide what a pass may skip.
package struct TrackState: Sendable, Equatable {
    /// The track's id.
    package var trackID: Int
    /// The file's path.
    package var path: RelativePath
    /// The file's size and modification time when it was last read.
    package var file: FileState
    /// Hash of the audio.
    package var audioHash: AudioHash
    /// Whether the file existed when last checked.
    package var isAvailable: Bool
    /// Whether its stream data is from the current version of the analyzer.
    package var hasCurrentStream: Bool
    /// Whether its profile is from the current version of the analyzer.
    package var hasCurrentProfile: Bool

    /// Creates a state.
    package init(
        trackID: Int, path: RelativePath, file: FileState, audioHash: AudioHash, isAvailable: Bool,
        hasCurrentStream: Bool, hasCurrentProfile: Bool
    ) {
        self.trackID = trackID
        self.path = path
        self.file = file
        self.audioHash = audioHash
        self.isAvailable = isAvailable
        self.hasCurrentStream = hasCurrentStream
        self.hasCurrentProfile = hasCurrentProfile
    }
}

extension TrackState {
    /// Whether a file needs no analysis: it is the one that was read, and all wanted parts are stored.
    /// - Parameter hasFrames: whether some audio has current spectra; called only if they are wanted.
    package func isCurrent(
        file: FileState, parts: AnalysisParts, hasFrames: (AudioHash) throws -> Bool
    ) rethrows -> Bool {
        guard self.file == file, hasCurrentStream else { return false }
        if parts.contains(.profile), !hasCurrentProfile { return false }
        return try !parts.contains(.frames) || hasFrames(audioHash)
    }
}

extension LibraryStore {
    /// Paths and sizes of some files of a data folder's library, which may be of an older version: spread over the whole
    /// library, the same each time. If all tracks are unavailable, any of them.
    package static func knownFiles(
        _ data: DataFolder, limit: Int
    ) throws -> [(path: RelativePath, byteCount: Int)] {
        let database = try Database(path: data.libraryDatabase, options: .init(access: .readOnly))
        return try database.fetchAll(
            """
            SELECT relative_path, path_bytes, file_size FROM tracks
            WHERE unavailable_since_ms IS NULL
                OR NOT EXISTS (SELECT 1 FROM tracks WHERE unavailable_since_ms IS NULL)
            ORDER BY id * 2654435761 % 4294967296 LIMIT ?
            """, [limit]
        ) { row in (try TrackRow.path(row), try row["file_size"]) }
    }

    /// Calls `body` with the state of every track in one query; memory use does not grow with the library.
    ///
    /// Spectra are in another file: see ``SpectrumStore/currentHashes(version:)``.
    /// - Parameter version: the analyzer's current version; analyses from other versions are not current.
    package func forEachTrackState(
        version: Int = TrackAnalysis.currentVersion, _ body: (TrackState) throws -> Void
    ) throws {
        try read { database in
            try database.forEach(Self.stateQuery) { row in try body(Self.state(row, version: version)) }
        }
    }

    /// The state of a file; nil if it is not in the library.
    package func trackState(
        of path: RelativePath, version: Int = TrackAnalysis.currentVersion
    ) throws -> TrackState? {
        try read { database in
            try database.fetchOne("\(Self.stateQuery) WHERE tracks.relative_path = ?", [path.text]) { row in
                try Self.state(row, version: version)
            }
        }
    }

    /// Whether there is an analysis of this audio with a profile from the current version of the analyzer.
    package func hasCurrentProfile(
        of hash: AudioHash, version: Int = TrackAnalysis.currentVersion
    ) throws -> Bool {
        try read { database in
            try database.scalar(
                "SELECT 1 FROM analyses WHERE audio_hash = ? AND profile_version = ?", [hash.bytes, version])
                ?? false
        }
    }

    /// Marks tracks whose files no longer exist as unavailable, and deletes the failures of such files. The
    /// tracks keep their rows, so that a file that turns up elsewhere, or again, is the same track.
    /// - Parameter isPresent: whether a file exists now.
    /// - Returns: the number of tracks newly marked.
    @discardableResult
    package func markUnavailable(
        now: Date = Date(), unless isPresent: (RelativePath) -> Bool
    ) throws -> Int {
        var missing: [RelativePath] = []
        try forEachAvailablePath { if !isPresent($0) { missing.append($0) } }
        return try markGone(missing, forgetting: try failurePaths().filter { !isPresent($0) }, now: now)
            .count
    }

    /// Calls `body` with the paths of available tracks.
    /// - Parameter place: only tracks at or below this path; nil for all.
    package func forEachAvailablePath(at place: RelativePath? = nil, _ body: (RelativePath) throws -> Void)
        throws
    {
        try read { database in
            try database.forEach(
                """
                SELECT relative_path, path_bytes FROM tracks
                WHERE \(Self.isAt(place)) AND unavailable_since_ms IS NULL
                """, place.map { [$0.text] } ?? []
            ) { row in try body(try TrackRow.path(row)) }
        }
    }

    /// The paths, among the given ones, at which the library has an available track.
    package func availablePaths(among paths: [RelativePath]) throws -> [RelativePath] {
        try read { database in
            try paths.filter { path in
                try database.scalar(
                    "SELECT 1 FROM tracks WHERE relative_path = ? AND unavailable_since_ms IS NULL",
                    [path.text])
                    ?? false
            }
        }
    }

    /// Number of available tracks.
    package func availableCount() throws -> Int {
        try read {
            try $0.scalar("SELECT count(*) FROM tracks WHERE unavailable_since_ms IS NULL") ?? 0
        }
    }

    /// The paths of files that could not be analysed.
    /// - Parameter place: only files at or below this path; nil for all.
    package func failurePaths(at place: RelativePath? = nil) throws -> [RelativePath] {
        try read { database in
            try database.fetchAll(
                "SELECT relative_path, path_bytes FROM analysis_failures WHERE \(Self.isAt(place))",
                place.map { [$0.text] } ?? [], TrackRow.path)
        }
    }

    /// SQL condition for rows at a path or below it, that is, starting with the path and a slash. "0" is the
    /// character after the slash.
    private static func isAt(_ place: RelativePath?) -> String {
        guard place != nil else { return "true" }
        return "(relative_path = ?1 OR (relative_path >= ?1 || '/' AND relative_path < ?1 || '0'))"
    }

    /// Marks the tracks of files as unavailable, and deletes the failures of other files.
    /// - Returns: the tracks that were available before.
    package func markGone(
        _ files: [RelativePath], forgetting failures: [RelativePath], now: Date = Date()
    ) throws -> [PushTrack] {
        guard !files.isEmpty || !failures.isEmpty else { return [] }
        return try write { database in
            var gone: [PushTrack] = []
            for file in files {
                let track = try database.fetchOne(
                    "SELECT id, album_id FROM tracks WHERE relative_path = ? AND unavailable_since_ms IS NULL",
                    [file.text]
                ) { row -> (id: Int, albumID: Int?) in (try row["id"], try row["album_id"]) }
                guard let track else { continue }
                try Self.markGone(track.id, albumID: track.albumID, now, database)
                gone.append(PushTrack(trackID: track.id, relativePath: file.text))
            }
            for file in failures {
                try database.execute("DELETE FROM analysis_failures WHERE relative_path = ?", [file.text])
            }
            return gone
        }
    }

    private static func markGone(_ id: Int, albumID: Int?, _ now: Date, _ database: Database) throws {
        try database.execute(
            "UPDATE tracks SET unavailable_since_ms = ? WHERE id = ?", [now.storedMilliseconds, id])
        try outdateAlbums("id = ?", [albumID], database)
    }

    /// Marks tracks as available whose unchanged files have come back.
    package func markAvailable(_ trackIDs: [Int]) throws {
        try write { database in
            for id in trackIDs {
                try database.execute("UPDATE tracks SET unavailable_since_ms = NULL WHERE id = ?", [id])
                try Self.outdateAlbums("id = (SELECT album_id FROM tracks WHERE id = ?)", [id], database)
            }
        }
    }

    private static let stateQuery = """
        SELECT tracks.id, tracks.relative_path, tracks.path_bytes, tracks.file_size, tracks.modified_at_ns,
            tracks.audio_hash, tracks.unavailable_since_ms IS NULL AS is_available,
            analyses.analyzer_version, analyses.profile_version
        FROM tracks LEFT JOIN analyses ON analyses.audio_hash = tracks.audio_hash
        """

    private static func state(_ row: borrowing Row, version: Int) throws -> TrackState {
        func isCurrent(_ column: String) throws -> Bool {
            let stored: Int? = try row[column]
            return stored == version
        }
        return TrackState(
            trackID: try row["id"], path: try TrackRow.path(row),
            file: FileState(
                size: try row["file_size"], modificationTimeNanoseconds: try row["modified_at_ns"]),
            audioHash: try TrackRow.hash(row["audio_hash"]), isAvailable: try row["is_available"],
            hasCurrentStream: try isCurrent("analyzer_version"),
            hasCurrentProfile: try isCurrent("profile_version"))
    }
}
