public import Analyzer
public import Foundation
internal import MusicShared
internal import SQLiteDatabase

/// What the library knows of a file, to decide what a pass may skip.
public struct TrackState: Sendable, Equatable {
    /// The track's id.
    public var trackID: Int
    /// Where the file is.
    public var path: RelativePath
    /// The file's size and time when it was last read.
    public var file: FileState
    /// What it sounds like.
    public var audioHash: AudioHash
    /// Whether the file was there when last looked for.
    public var isAvailable: Bool
    /// Whether its stream is described by the present version of the analyzer.
    public var hasCurrentStream: Bool
    /// Whether it has a profile of the present version of the analyzer.
    public var hasCurrentProfile: Bool

    /// Puts the parts together.
    public init(
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

extension LibraryStore {
    /// Hands over the state of every track in one query; memory does not grow with the library.
    ///
    /// Visualizer frames lie in another file: see ``FrameStore/currentHashes(version:)``.
    /// - Parameter version: the analyzer's present version; an analysis of another one is not current.
    public func forEachTrackState(
        version: Int = TrackAnalysis.currentVersion, _ body: (TrackState) throws -> Void
    ) throws {
        try read { database in
            try database.forEach(Self.stateQuery) { row in try body(Self.state(row, version: version)) }
        }
    }

    /// The state of one file; nil if it is not in the library.
    public func trackState(
        of path: RelativePath, version: Int = TrackAnalysis.currentVersion
    ) throws -> TrackState? {
        try read { database in
            try database.fetchOne("\(Self.stateQuery) WHERE tracks.relative_path = ?", [path.text]) { row in
                try Self.state(row, version: version)
            }
        }
    }

    /// Whether there is an analysis of this audio, with a profile, by the present version of the analyzer.
    public func hasCurrentProfile(
        of hash: AudioHash, version: Int = TrackAnalysis.currentVersion
    ) throws -> Bool {
        try read { database in
            try database.scalar(
                "SELECT 1 FROM analyses WHERE audio_hash = ? AND profile_version = ?", [hash.bytes, version])
                ?? false
        }
    }

    /// Marks tracks as gone whose file is not there any more, and forgets failures of such files. The tracks
    /// keep their rows, so that a file that turns up elsewhere, or again, is the same track.
    /// - Parameter isPresent: whether a file is there now.
    /// - Returns: how many tracks have newly gone.
    @discardableResult
    public func markUnavailable(
        now: Date = Date(), unless isPresent: (RelativePath) -> Bool
    ) throws -> Int {
        try markGone(now: now, unless: isPresent).count
    }

    /// The same, telling which tracks have newly gone.
    func markGone(now: Date = Date(), unless isPresent: (RelativePath) -> Bool) throws -> [PushTrack] {
        try write { database in
            let available =
                "SELECT id, relative_path, path_bytes, album_id FROM tracks "
                + "WHERE unavailable_since_ms IS NULL"
            var gone: [(track: PushTrack, albumID: Int?)] = []
            try database.forEach(available) { row in
                if try !isPresent(TrackRow.path(text: row[1], bytes: row[2])) {
                    gone.append((PushTrack(trackID: try row[0], relativePath: try row[1]), try row[3]))
                }
            }
            for (track, album) in gone { try Self.markGone(track.trackID, albumID: album, now, database) }
            var forgotten: [String] = []
            try database.forEach("SELECT relative_path, path_bytes FROM analysis_failures") { row in
                if try !isPresent(TrackRow.path(text: row[0], bytes: row[1])) { forgotten.append(try row[0]) }
            }
            for path in forgotten {
                try database.execute("DELETE FROM analysis_failures WHERE relative_path = ?", [path])
            }
            return gone.map(\.track)
        }
    }

    /// Marks tracks as gone that were at a path or below it, if their files are not there any more, and forgets failures
    /// of such files. Looks at those only.
    func markGone(
        at paths: [RelativePath], now: Date = Date(), unless isPresent: (RelativePath) -> Bool
    ) throws -> [PushTrack] {
        guard !paths.isEmpty else { return [] }
        return try write { database in
            var gone: [PushTrack] = []
            for path in paths {
                // All that begins with the folder's name and a slash: "0" is the character after the slash.
                let place =
                    "(relative_path = ?1 OR (relative_path >= ?1 || '/' AND relative_path < ?1 || '0'))"
                let found = try database.fetchAll(
                    """
                    SELECT id, relative_path, path_bytes, album_id FROM tracks
                    WHERE \(place) AND unavailable_since_ms IS NULL
                    """, [path.text]
                ) { row -> (track: PushTrack, path: RelativePath, albumID: Int?) in
                    (
                        PushTrack(trackID: try row[0], relativePath: try row[1]),
                        try TrackRow.path(text: row[1], bytes: row[2]), try row[3]
                    )
                }
                for (track, path, album) in found where !isPresent(path) {
                    try Self.markGone(track.trackID, albumID: album, now, database)
                    gone.append(track)
                }
                let failed = try database.fetchAll(
                    "SELECT relative_path, path_bytes FROM analysis_failures WHERE \(place)", [path.text]
                ) { row in try TrackRow.path(text: row[0], bytes: row[1]) }
                for path in failed where !isPresent(path) {
                    try database.execute(
                        "DELETE FROM analysis_failures WHERE relative_path = ?", [path.text])
                }
            }
            return gone
        }
    }

    private static func markGone(_ id: Int, albumID: Int?, _ now: Date, _ database: Database) throws {
        try database.execute(
            "UPDATE tracks SET unavailable_since_ms = ? WHERE id = ?", [now.storedMilliseconds, id])
        try database.execute("UPDATE albums SET is_loudness_current = 0 WHERE id = ?", [albumID])
    }

    /// Marks tracks as there again, whose unchanged files have come back.
    public func markAvailable(_ trackIDs: [Int]) throws {
        try write { database in
            for id in trackIDs {
                try database.execute("UPDATE tracks SET unavailable_since_ms = NULL WHERE id = ?", [id])
                try database.execute(
                    """
                    UPDATE albums SET is_loudness_current = 0
                    WHERE id = (SELECT album_id FROM tracks WHERE id = ?)
                    """, [id])
            }
        }
    }

    private static let stateQuery = """
        SELECT tracks.id, tracks.relative_path, tracks.path_bytes, tracks.file_size, tracks.modified_at_ns,
            tracks.audio_hash, tracks.unavailable_since_ms IS NULL,
            analyses.analyzer_version, analyses.profile_version
        FROM tracks LEFT JOIN analyses ON analyses.audio_hash = tracks.audio_hash
        """

    private static func state(_ row: borrowing Row, version: Int) throws -> TrackState {
        let streamVersion: Int? = try row[7]
        let profileVersion: Int? = try row[8]
        return TrackState(
            trackID: try row[0], path: try TrackRow.path(text: row[1], bytes: row[2]),
            file: FileState(size: try row[3], modificationTimeNanoseconds: try row[4]),
            audioHash: try TrackRow.hash(row[5]), isAvailable: try row[6],
            hasCurrentStream: streamVersion == version, hasCurrentProfile: profileVersion == version)
    }
}
