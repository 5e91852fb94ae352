package import Analyzer
internal import SQLiteDatabase

/// The spectra of all audio, in `visualizer.sqlite`.
///
/// Large and local, and kept separate from the library, which clients download. Everything in it can be
/// recomputed from the music. The rules for writing, reading and threads are those of ``LibraryStore``.
package final class SpectrumStore: Sendable {
    /// "KaVi": marks the file as this program's.
    private static let applicationID: Int32 = 0x4B61_5669
    private static let migrations = [
        Migration(
            "frames",
            sql: """
                CREATE TABLE frames (
                    id INTEGER PRIMARY KEY,
                    audio_hash BLOB NOT NULL UNIQUE CHECK (length(audio_hash) = 16),
                    analyzer_version INTEGER NOT NULL,
                    frames_per_second INTEGER NOT NULL,
                    band_count INTEGER NOT NULL,
                    frame_count INTEGER NOT NULL,
                    levels BLOB NOT NULL,
                    CHECK (length(levels) = frame_count * band_count)
                ) STRICT;
                -- Finds the audio that has spectra without touching the large rows.
                CREATE INDEX frames_state ON frames (analyzer_version, audio_hash);
                """)
    ]

    /// The database file.
    package let path: String
    private let pool: DatabasePool

    /// Opens the store of a data folder; creates or migrates the file first.
    /// - Throws: `DatabaseError` as for ``LibraryStore``.
    package init(_ folder: DataFolder) throws {
        path = folder.visualizerDatabase
        // A row has about 460 kB: large pages make shorter chains. The cache has space for two such rows; for
        // the row of a long track it holds only a part, and the rest goes to the log while the row is
        // written.
        pool = try DatabasePool(path: path, options: .init(cacheKibibytes: 1_024, pageSize: 16_384)) {
            database in
            try database.migrate(Self.migrations, applicationID: Self.applicationID)
            // SQLite would copy a blob to determine its length for a CHECK: `save` checks it instead.
            try database.execute("PRAGMA ignore_check_constraints = ON")
        }
    }

    /// Stores the spectra of some audio and replaces older ones.
    /// - Throws: `DatabaseError` if they cannot be written.
    package func save(
        _ frames: VisualizerSpectra, of hash: AudioHash, version: Int = TrackAnalysis.currentVersion
    ) throws {
        try pool.write { database in
            try Self.save(
                (frames.framesPerSecond, frames.bandCount, frames.levels.count), of: hash, version: version,
                database
            ) { try $0(frames.levels) }
        }
    }

    /// Stores the spectra of all analyses that have any, in one transaction, and replaces older ones.
    ///
    /// ``AnalysisRecorder`` calls this before the tracks' records in the library are complete.
    /// - Throws: `DatabaseError` if they cannot be written, `AnalyzerError` if spectra spooled to disk
    ///   cannot be read back.
    package func save(framesOf analyses: [TrackAnalysis]) throws {
        guard analyses.contains(where: { $0.frames != nil }) else { return }
        try pool.write { database in
            for analysis in analyses {
                guard let frames = analysis.frames else { continue }
                try Self.save(
                    (frames.framesPerSecond, frames.bandCount, frames.levelCount), of: analysis.audioHash,
                    version: TrackAnalysis.currentVersion, database, inBlocks: frames.forEachBlock)
            }
        }
    }

    /// Adds spectra from a part's file in one transaction, except for those that are stored already.
    /// - Returns: the number added.
    func add(_ spectra: ArraySlice<PartSpectra>, _ read: (Range<Int>) throws -> [UInt8]) throws -> Int {
        try pool.write { database in
            var count = 0
            for each in spectra {
                let isStored: Bool? = try database.scalar(
                    "SELECT 1 FROM frames WHERE audio_hash = ? AND analyzer_version >= ?",
                    [each.audioHash.bytes, each.version])
                if isStored == true { continue }
                guard let bytes = each.bytes else {
                    throw StoreError(.damagedRow, "a part has invalid spectra")
                }
                try Self.save(
                    (each.framesPerSecond, each.bandCount, bytes.count), of: each.audioHash,
                    version: each.version, database
                ) { append in
                    for start in stride(from: bytes.lowerBound, to: bytes.upperBound, by: 1 << 18) {
                        try append(try read(start..<min(start + (1 << 18), bytes.upperBound)))
                    }
                }
                count += 1
            }
            return count
        }
    }

    private static func save(
        _ shape: (framesPerSecond: Int, bandCount: Int, levelCount: Int), of hash: AudioHash, version: Int,
        _ database: Database, inBlocks forEachBlock: (([UInt8]) throws -> Void) throws -> Void
    ) throws {
        let frameCount = shape.bandCount > 0 ? shape.levelCount / shape.bandCount : 0
        guard shape.levelCount == frameCount * shape.bandCount else {
            throw DatabaseError(.constraint, message: "the spectra do not form a complete matrix")
        }
        // Insert zeros first, which SQLite need not hold in memory, then write the levels block by block.
        let row: Int64? = try database.scalar(
            """
            INSERT INTO frames
                (audio_hash, analyzer_version, frames_per_second, band_count, frame_count, levels)
            VALUES (?, ?, ?, ?, ?, zeroblob(?))
            ON CONFLICT (audio_hash) DO UPDATE SET analyzer_version = excluded.analyzer_version,
                frames_per_second = excluded.frames_per_second, band_count = excluded.band_count,
                frame_count = excluded.frame_count, levels = excluded.levels
            RETURNING id
            """,
            [hash.bytes, version, shape.framesPerSecond, shape.bandCount, frameCount, shape.levelCount])
        guard let row else { throw StoreError(.damagedRow, "the row of the spectra is missing") }
        var writer = try BlobWriter(database, table: "frames", column: "levels", rowID: row)
        try forEachBlock { try writer.append($0) }
        try writer.close()
    }

    /// Copies the write-ahead log into the database file.
    package func checkpoint() throws {
        try pool.checkpoint()
    }

    /// The spectra of some audio; nil if none are stored.
    package func frames(of hash: AudioHash) throws -> VisualizerSpectra? {
        try pool.read { database in
            try database.fetchOne(
                "SELECT frames_per_second, band_count, levels FROM frames WHERE audio_hash = ?", [hash.bytes]
            ) { row in
                VisualizerSpectra(
                    framesPerSecond: try row["frames_per_second"], bandCount: try row["band_count"],
                    levels: try row["levels"])
            }
        }
    }

    /// A range of the spectra of some audio, read without the rest; nil if none are stored.
    /// - Parameter range: the indices; indices past the end are ignored.
    package func frames(of hash: AudioHash, in range: Range<Int>) throws -> VisualizerSpectra? {
        try pool.read { database in
            let found = try database.fetchOne(
                "SELECT id, frames_per_second, band_count, frame_count FROM frames WHERE audio_hash = ?",
                [hash.bytes]
            ) { row -> (id: Int64, rate: Int, bands: Int, count: Int) in
                (try row["id"], try row["frames_per_second"], try row["band_count"], try row["frame_count"])
            }
            guard let found else { return nil }
            let range = range.clamped(to: 0..<found.count)
            let reader = try BlobReader(database, table: "frames", column: "levels", rowID: found.id)
            return VisualizerSpectra(
                framesPerSecond: found.rate, bandCount: found.bands,
                levels: try reader.read(range.lowerBound * found.bands..<range.upperBound * found.bands))
        }
    }

    /// The format of the spectra of some audio; nil if none are stored.
    package func description(of hash: AudioHash) throws -> SpectrumDescription? {
        try pool.read { database in
            try database.fetchOne(
                """
                SELECT frames_per_second, band_count, frame_count, analyzer_version FROM frames
                WHERE audio_hash = ?
                """, [hash.bytes]
            ) { row in
                SpectrumDescription(
                    framesPerSecond: try row["frames_per_second"], bandCount: try row["band_count"],
                    frameCount: try row["frame_count"], analyzerVersion: try row["analyzer_version"])
            }
        }
    }

    /// Number of pieces of audio that have spectra.
    package func count() throws -> Int {
        try pool.read { try $0.scalar("SELECT count(*) FROM frames") ?? 0 }
    }

    /// Whether this audio has spectra from the current version of the analyzer.
    package func hasCurrentSpectra(
        of hash: AudioHash, version: Int = TrackAnalysis.currentVersion
    ) throws -> Bool {
        try pool.read { database in
            try database.scalar(
                "SELECT 1 FROM frames WHERE audio_hash = ? AND analyzer_version = ?", [hash.bytes, version])
                ?? false
        }
    }

    /// Hashes of all audio that has spectra from a version of the analyzer.
    package func currentHashes(version: Int = TrackAnalysis.currentVersion) throws -> Set<AudioHash> {
        try pool.read { database in
            var hashes: Set<AudioHash> = []
            try database.forEach(
                "SELECT audio_hash FROM frames WHERE analyzer_version = ?", [version]
            ) { row in hashes.insert(try TrackRow.hash(row["audio_hash"])) }
            return hashes
        }
    }

    /// Deletes the spectra of audio that is no longer wanted.
    /// - Parameter isTrial: whether to only count them.
    /// - Returns: the number of pieces of audio, and the bytes of their spectra.
    package func prune(isTrial: Bool = false, keeping isWanted: (AudioHash) -> Bool) throws -> (
        count: Int, bytes: Int
    ) {
        try pool.write { database in
            var unwanted: [Int] = []
            var bytes = 0
            try database.forEach("SELECT id, audio_hash, length(levels) AS byte_count FROM frames") { row in
                guard try !isWanted(TrackRow.hash(row["audio_hash"])) else { return }
                unwanted.append(try row["id"])
                bytes += try row["byte_count"]
            }
            if !isTrial {
                for id in unwanted { try database.execute("DELETE FROM frames WHERE id = ?", [id]) }
            }
            return (unwanted.count, bytes)
        }
    }
}
