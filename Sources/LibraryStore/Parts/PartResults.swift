package import Analyzer
internal import Foundation
internal import SQLiteDatabase

/// The results of one part of a batch analysis, collected in memory and written to a file at the end.
///
/// The file's bytes depend only on what was added, and in which order: it contains no times, names of machines or random
/// numbers. Not thread-safe.
package final class PartResults {
    private let database: Database
    private var count = 0

    /// The time in columns that a library fills in.
    private static let noTime = Date(timeIntervalSince1970: 0)

    /// Creates empty results.
    package init() throws {
        database = try Database.inMemory()
        try PartSchema.create(in: database)
        // Freed space would otherwise keep old bytes.
        try database.execute("PRAGMA secure_delete = ON")
    }

    /// Adds a track, with its analysis unless the results already contain that of the same audio.
    /// - Parameter spectra: where its spectra are in the part's spectra file; nil if they are not in it.
    package func add(_ record: TrackRecord, spectra: PartSpectra?) throws {
        try database.transaction {
            if let analysis = record.analysis { try AnalysisRow.save(analysis, now: Self.noTime, database) }
            if let spectra { try add(spectra) }
            count += 1
            var columns = ColumnValues()
            columns["id"] = count
            TrackRow.set(record: record, in: &columns)
            columns["added_at_ms"] = Self.noTime.storedMilliseconds
            columns["changed_at_ms"] = Self.noTime.storedMilliseconds
            try columns.insert(into: "tracks", database)
        }
    }

    /// Adds how a file is divided into tracks.
    package func add(_ division: FileDivision) throws { try LibraryStore.save(division, database) }

    private func add(_ spectra: PartSpectra) throws(DatabaseError) {
        var columns = ColumnValues()
        columns["audio_hash"] = spectra.audioHash.bytes
        columns["analyzer_version"] = spectra.version
        columns["frames_per_second"] = spectra.framesPerSecond
        columns["band_count"] = spectra.bandCount
        columns["frame_count"] = spectra.frameCount
        columns["byte_offset"] = spectra.byteOffset
        try columns.insert(into: "spectra", database)
    }

    /// Adds a file that could not be analysed.
    package func addFailure(path: RelativePath, file: FileState, errorCode: String, message: String) throws {
        let failure = AnalysisFailure(
            path: path, file: file, analyzerVersion: TrackAnalysis.currentVersion, errorCode: errorCode,
            message: message, attempts: 1, failedAt: Self.noTime)
        try failure.save(database)
    }

    /// Writes the results to a new file, without waiting until it is on disk.
    package func write(to path: String) throws {
        try database.execute("VACUUM INTO ?", [path.hasPrefix("/") ? path : "./" + path])
    }

    /// Reads where the spectra of a part are, in the order of its spectra file.
    /// - Throws: `DatabaseError` if the file cannot be read, or is of another program or version.
    package static func spectra(at path: String) throws -> [PartSpectra] {
        let database = try Database(path: path, options: .init(access: .readOnly))
        try PartSchema.require(database, path: path)
        return try database.fetchAll("SELECT * FROM spectra ORDER BY byte_offset, audio_hash") { row in
            PartSpectra(
                audioHash: try TrackRow.hash(row["audio_hash"]), version: try row["analyzer_version"],
                framesPerSecond: try row["frames_per_second"], bandCount: try row["band_count"],
                frameCount: try row["frame_count"], byteOffset: try row["byte_offset"])
        }
    }
}
