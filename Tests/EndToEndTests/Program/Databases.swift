import Foundation
import SQLiteDatabase
import TestSupport
import Testing

/// The databases that a pass leaves, read without the program's help.
struct Databases {
    let folder: String
    /// Keeps a copy's files.
    private var directory: TemporaryDirectory?

    init(folder: String) { self.folder = folder }

    /// A copy to look into, so that what a kill left behind stays for the next pass to clear up.
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

    /// Looks into both, after a kill or a full disk for instance.
    func expectIntact(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for path in [library, visualizer] where FileManager.default.fileExists(atPath: path) {
            let run = try ProcessRun.run(
                "sqlite3", [path, "PRAGMA integrity_check; PRAGMA foreign_key_check"])
            #expect(run.text == "ok\n", "\(path)", sourceLocation: sourceLocation)
        }
    }

    /// Everything measured, without times and numbers of rows, which may differ from run to run.
    func contents() throws -> [String] {
        let database = try Database(path: library, options: .init(access: .readOnly))
        var lines: [String] = []
        let tracks = """
            SELECT relative_path || '|' || hex(tracks.audio_hash) || '|' || coalesce(title, '') || '|'
                || (unavailable_since_ms IS NULL) || '|' || analyzer_version || '|' || profile_version || '|'
                || frame_count || '|' || sample_count || '|' || duration_seconds || '|'
                || coalesce(integrated_lufs, '') || '|' || coalesce(true_peak_dbtp, '') || '|' || cue_in_seconds || '|'
                || cue_out_seconds || '|' || ending || '|' || coalesce(bpm, '') || '|' || coalesce(key_tonic, '')
                || '|' || hex(frame_index) || '|' || hex(waveform) || '|' || hex(momentary_loudness)
            FROM tracks JOIN analyses USING (audio_hash) JOIN analysis_details USING (audio_hash) ORDER BY 1
            """
        try database.forEach(tracks) { row in lines.append(try row[0]) }
        let failures = "SELECT relative_path || '|' || error_code FROM analysis_failures ORDER BY 1"
        try database.forEach(failures) { row in lines.append(try row[0]) }
        return try lines + frames()
    }

    /// The number of the track of a file, by its path below the music folder.
    func trackID(_ path: String) throws -> Int? {
        let database = try Database(path: library, options: .init(access: .readOnly))
        var found: Int?
        try database.forEach("SELECT id, relative_path FROM tracks") { row in
            if try row[1] as String == path { found = try row[0] }
        }
        return found
    }

    /// Tracks that lack an analysis, its details or its frames.
    func incomplete() throws -> [String] {
        let library = try Database(path: library, options: .init(access: .readOnly))
        let known = try Set(frames().map { String($0.prefix(32)) })
        var lacking: [String] = []
        let tracks = """
            SELECT relative_path, hex(tracks.audio_hash), profile_version IS NOT NULL AND frame_index IS NOT NULL
            FROM tracks LEFT JOIN analyses USING (audio_hash) LEFT JOIN analysis_details USING (audio_hash)
            """
        try library.forEach(tracks) { row in
            let isWhole: Bool = try row[2]
            if try !isWhole || !known.contains(row[1]) { lacking.append(try row[0]) }
        }
        return lacking
    }

    /// A number that a query gives.
    func count(_ query: String) throws -> Int {
        try Database(path: library, options: .init(access: .readOnly)).scalar(query) ?? -1
    }

    private func frames() throws -> [String] {
        let database = try Database(path: visualizer, options: .init(access: .readOnly))
        var lines: [String] = []
        try database.forEach(
            "SELECT hex(audio_hash) || '|' || frame_count || '|' || hex(levels) FROM frames ORDER BY 1"
        ) { row in lines.append(try row[0]) }
        return lines
    }
}
