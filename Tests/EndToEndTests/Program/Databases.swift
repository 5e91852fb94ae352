import Foundation
import SQLiteDatabase
import TestSupport
import Testing

/// The databases written by a pass, read independently of the program.
struct Databases {
    let folder: String
    /// Keeps the files of a copy.
    private var directory: TemporaryDirectory?

    init(folder: String) { self.folder = folder }

    /// Returns a copy for inspection, so that the next pass still has to clean up after a kill.
    func copied() throws -> Databases {
        let directory = try TemporaryDirectory()
        var copy = Databases(folder: directory.path)
        copy.directory = directory
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return copy }
        for name in names where name.contains(".sqlite") {
            try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: directory.file(name))
        }
        return copy
    }

    var library: String { folder + "/library.sqlite" }
    var visualizer: String { folder + "/visualizer.sqlite" }

    /// Checks both databases, after a kill or a full disk for instance.
    func expectIntact(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for path in [library, visualizer] where FileManager.default.fileExists(atPath: path) {
            let run = try ProcessRun.run(
                "sqlite3", [path, "PRAGMA integrity_check; PRAGMA foreign_key_check"])
            #expect(run.text == "ok\n", "\(path)", sourceLocation: sourceLocation)
        }
    }

    /// Returns all measurements, without times and row numbers, which may differ between runs.
    func contents() throws -> [String] {
        let database = try Database(path: library, options: .init(access: .readOnly))
        let tracks = """
            SELECT relative_path || '|' || hex(tracks.audio_hash) || '|' || coalesce(title, '') || '|'
                || (unavailable_since_ms IS NULL) || '|' || analyzer_version || '|' || profile_version || '|'
                || frame_count || '|' || sample_count || '|' || duration_seconds || '|'
                || coalesce(integrated_lufs, '') || '|' || coalesce(true_peak_dbtp, '') || '|' || cue_in_seconds || '|'
                || cue_out_seconds || '|' || ending || '|' || coalesce(bpm, '') || '|' || coalesce(key_tonic, '')
                || '|' || hex(frame_index) || '|' || hex(waveform) || '|' || hex(momentary_loudness)
            FROM tracks JOIN analyses USING (audio_hash) JOIN analysis_details USING (audio_hash) ORDER BY 1
            """
        let failures = "SELECT relative_path || '|' || error_code FROM analysis_failures ORDER BY 1"
        return try database.values(tracks) + database.values(failures) + frames()
    }

    /// Returns the ID of a track by its path relative to the music folder.
    func trackID(_ path: String) throws -> Int? {
        let database = try Database(path: library, options: .init(access: .readOnly))
        var found: Int?
        try database.forEach("SELECT id, relative_path FROM tracks") { row in
            if try row["relative_path"] as String == path { found = try row["id"] }
        }
        return found
    }

    /// Returns tracks that lack an analysis, its details or its frames.
    func incomplete() throws -> [String] {
        let library = try Database(path: library, options: .init(access: .readOnly))
        let known = try Set(frames().map { String($0.prefix(32)) })
        var lacking: [String] = []
        let tracks = """
            SELECT relative_path, hex(tracks.audio_hash) AS hash,
                profile_version IS NOT NULL AND frame_index IS NOT NULL AS is_whole
            FROM tracks LEFT JOIN analyses USING (audio_hash) LEFT JOIN analysis_details USING (audio_hash)
            """
        try library.forEach(tracks) { row in
            let isWhole: Bool = try row["is_whole"]
            if try !isWhole || !known.contains(row["hash"]) { lacking.append(try row["relative_path"]) }
        }
        return lacking
    }

    /// Returns the number that a query selects.
    func count(_ query: String) throws -> Int {
        try Database(path: library, options: .init(access: .readOnly)).scalar(query) ?? -1
    }

    private func frames() throws -> [String] {
        let database = try Database(path: visualizer, options: .init(access: .readOnly))
        return try database.values(
            "SELECT hex(audio_hash) || '|' || frame_count || '|' || hex(levels) FROM frames ORDER BY 1")
    }
}
