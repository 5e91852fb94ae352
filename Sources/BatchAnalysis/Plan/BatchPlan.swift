package import Analyzer
internal import LibraryStore
internal import MusicFiles
internal import SQLiteDatabase

/// The plan of a run: which tracks each part analyses, and how. It holds references only.
package struct BatchPlan: Sendable {
    /// "KaPn": marks the file as a plan.
    static let applicationID: Int32 = 0x4B61_506E

    static let migrations = [
        Migration(
            "plan",
            sql: """
                CREATE TABLE plan (
                    root TEXT NOT NULL,
                    analyzer_version INTEGER NOT NULL,
                    has_spectra INTEGER NOT NULL,
                    part_size INTEGER NOT NULL,
                    track_count INTEGER NOT NULL
                ) STRICT;
                -- Part n has the tracks from n * part_size + 1.
                CREATE TABLE tracks (
                    id INTEGER PRIMARY KEY,
                    relative_path TEXT NOT NULL,
                    file_size INTEGER NOT NULL,
                    modified_at_ns INTEGER NOT NULL,
                    entity_tag TEXT
                ) STRICT;
                """),
        Migration(
            "cue sheets in buckets",
            sql: """
                CREATE TABLE sheets (
                    -- Empty for the root.
                    folder TEXT NOT NULL,
                    relative_path TEXT NOT NULL,
                    file_size INTEGER NOT NULL,
                    modified_at_ns INTEGER NOT NULL,
                    entity_tag TEXT,
                    PRIMARY KEY (folder, relative_path)
                ) STRICT, WITHOUT ROWID;
                -- The files that a sheet may divide, in folders with sheets.
                CREATE TABLE divisible_files (
                    folder TEXT NOT NULL,
                    name TEXT NOT NULL,
                    PRIMARY KEY (folder, name)
                ) STRICT, WITHOUT ROWID;
                """),
    ]

    /// The place that paths are relative to.
    package let root: TrackRoot
    /// The parts of the analyses to compute.
    package let parts: AnalysisParts
    /// Number of tracks of a part; the last one may have fewer.
    package let partSize: Int
    /// Number of tracks.
    package let trackCount: Int
    private let run: BatchRun

    /// Number of parts, which are numbered from 0.
    package var partCount: Int { trackCount / partSize + (trackCount % partSize > 0 ? 1 : 0) }

    /// Returns the number of planned files of a part.
    func fileCount(ofPart number: Int) -> Int { min(partSize, max(0, trackCount - number * partSize)) }

    /// Opens the plan of a run.
    /// - Throws: `BatchError` `plan` if it does not exist or is for another version of the analyzer; `DatabaseError` if it cannot
    ///   be read.
    package init(_ run: BatchRun) throws {
        self.run = run
        let path = run.plan
        let read = try run.readPlan { database in
            try database.requireMigrated(Self.migrations, applicationID: Self.applicationID)
            return try database.fetchOne("SELECT * FROM plan") { row in
                (
                    root: try row["root"] as String, version: try row["analyzer_version"] as Int,
                    hasSpectra: try row["has_spectra"] as Bool, partSize: try row["part_size"] as Int,
                    trackCount: try row["track_count"] as Int
                )
            }
        }
        guard let read else {
            throw BatchError(.plan, "there is no plan; make one with analyze-cli plan", place: run.place)
        }
        guard let found = read, let root = TrackRoot(text: found.root), found.partSize > 0,
            found.trackCount >= 0
        else {
            throw BatchError(.plan, "the plan is damaged", place: path)
        }
        guard found.version == TrackAnalysis.currentVersion else {
            throw BatchError(
                .plan,
                "the plan is for version \(found.version) of the analysis, and this program has version "
                    + "\(TrackAnalysis.currentVersion); use the same program for all steps", place: path)
        }
        self.root = root
        parts = found.hasSpectra ? .all : .profile
        partSize = found.partSize
        trackCount = found.trackCount
    }

    /// The tracks of a part, in their order.
    /// - Throws: `BatchError` `plan` if there is no such part; `DatabaseError` if the plan cannot be read.
    package func tracks(ofPart number: Int) throws -> [PlannedTrack] {
        guard (0..<partCount).contains(number) else {
            throw BatchError(
                .plan, "there is no part \(number); the parts are 0 to \(partCount - 1)", place: run.place)
        }
        return try run.readPlan { try tracks(ofPart: number, $0) } ?? []
    }

    private func tracks(ofPart number: Int, _ database: Database) throws -> [PlannedTrack] {
        var tracks = try database.fetchAll(
            "SELECT * FROM tracks WHERE id > ? ORDER BY id LIMIT ?", [number * partSize, partSize]
        ) { row in
            PlannedTrack(
                path: try self.path(row), file: try Self.state(row), entityTag: try row["entity_tag"])
        }
        // Tracks of a folder follow each other.
        var last: (folder: String, sheets: [PlannedSheet], names: [String])?
        for index in tracks.indices where FolderCueSheets.canDivide(tracks[index].path) {
            let folder = tracks[index].path.folder?.text ?? ""
            if let last, last.folder == folder {
                (tracks[index].sheets, tracks[index].divisibleNames) = (last.sheets, last.names)
                continue
            }
            let sheets = try database.fetchAll("SELECT * FROM sheets WHERE folder = ?", [folder]) { row in
                PlannedSheet(
                    path: try self.path(row), file: try Self.state(row), entityTag: try row["entity_tag"])
            }
            let names: [String] =
                sheets.isEmpty
                ? []
                : try database.values("SELECT name FROM divisible_files WHERE folder = ?", [folder])
            last = (folder, sheets, names)
            (tracks[index].sheets, tracks[index].divisibleNames) = (sheets, names)
        }
        return tracks
    }

    private func path(_ row: borrowing Row) throws -> RelativePath {
        guard let path = RelativePath(text: try row["relative_path"]) else {
            throw BatchError(.plan, "the plan is damaged", place: run.plan)
        }
        return path
    }

    private static func state(_ row: borrowing Row) throws -> FileState {
        FileState(size: try row["file_size"], modificationTimeNanoseconds: try row["modified_at_ns"])
    }
}
