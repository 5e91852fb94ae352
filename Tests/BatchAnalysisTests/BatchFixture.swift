import BatchAnalysis
import Companion
import Foundation
import LibraryStore
import MusicFiles
import SQLiteDatabase
import TestSupport

/// A music folder with short tracks, two of which have the same audio, and a file that is no music.
struct BatchFixture {
    /// Encoded once for all tests.
    private static let pieces = Result {
        try (0..<4).map {
            try Encoders.lame(
                PCM.music(frameCount: 44_100 * 3, seed: UInt64(40 + $0)),
                ["-b", "128", "--tt", "Piece \($0)", "--ta", "Artist \($0 / 2)", "--tl", "Album"])
        }
    }

    let directory: TemporaryDirectory
    let music: MusicFolder

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music/b"), withIntermediateDirectories: true)
        music = try MusicFolder(path: directory.file("music"))
        let pieces = try Self.pieces.get()
        for (number, piece) in pieces.enumerated() { try directory.write(piece, as: "music/\(number).mp3") }
        try directory.write(pieces[0], as: "music/b/copy.mp3")
        try directory.write(Array("no music".utf8), as: "music/bad.mp3")
    }

    /// Adds an album in one file, with a cue sheet of three tracks of which two sound alike.
    func addAlbum() throws {
        let music = PCM.music(frameCount: 588 * 300, seed: 44).samples
        let half = (0..<2).map { channel in
            stride(from: channel, to: music.count, by: 2).map { Int32(music[$0]) }
        }
        let sound = IntegerSound(
            sampleRate: 44_100, channels: half.map { $0 + $0 + $0[..<(588 * 100)] }, bitDepth: 16)
        try directory.write(try sound.flac(), as: "music/b/Album.flac")
    }

    /// Adds the sheet of the album.
    func addSheet() throws {
        let sheet = """
            PERFORMER "Band"
            TITLE "Live"
            FILE "Album.flac" WAVE
            TRACK 01 AUDIO
            TITLE "One"
            INDEX 01 00:00:00
            TRACK 02 AUDIO
            TITLE "Two"
            INDEX 01 00:04:00
            TRACK 03 AUDIO
            TITLE "Three"
            INDEX 01 00:08:00
            """
        try directory.write(Array(sheet.utf8), as: "music/b/Album.cue")
    }

    func data(_ name: String) throws -> DataFolder { try DataFolder(path: directory.file(name)) }

    /// Plans everything, in parts of two tracks unless configured otherwise.
    func planned(
        _ name: String = "run", _ configure: (inout BatchPlanner) throws -> Void = { _ in }
    ) throws -> (run: BatchRun, plan: BatchPlan, summary: BatchPlanner.Summary) {
        let run = try BatchRun(at: directory.file(name))
        var planner = BatchPlanner()
        planner.partSize = 2
        try configure(&planner)
        let summary = try planner.plan(music, to: run)
        return (run, try BatchPlan(run), summary)
    }

    /// Runs all parts.
    func complete(_ run: BatchRun, _ plan: BatchPlan) throws {
        for part in (0..<plan.partCount).reversed() { _ = try PartRunner(run, plan).run(part: part) }
    }

    /// Analyses the folder on this machine alone.
    func pass(into data: DataFolder) throws {
        _ = try LibraryPass(music: music, data: data, options: PassOptions()).run()
    }

    /// Returns all files of a run's parts with their bytes, except the reports, which contain times.
    func results(_ run: BatchRun) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: run.place + "/parts") ?? .init()
        where !name.hasSuffix("report.json") {
            let path = run.place + "/parts/" + name
            files[name] = try? Data(contentsOf: URL(filePath: path))
        }
        return files
    }
}

/// Every row of a library, as text.
enum LibraryRows {
    /// Columns that number rows or say when they were written.
    private static let passing: Set<String> = [
        "id", "artist_id", "shown_artist_id", "album_id", "added_at_ms", "changed_at_ms", "analyzed_at_ms",
        "failed_at_ms",
        "unavailable_since_ms",
    ]
    private static let references = [
        "tracks": """
        , unavailable_since_ms IS NULL, (SELECT name_key FROM artists WHERE id = artist_id),
        (SELECT album_key FROM albums WHERE id = album_id)
        """,
        "albums": ", (SELECT name_key FROM artists WHERE id = artist_id)",
    ]

    /// Returns the rows of all tables, sorted.
    /// - Parameter isExact: whether row numbers, times and the revision are compared too.
    static func all(_ data: DataFolder, isExact: Bool = false) throws -> [String] {
        let tables = [
            "tracks", "analyses", "analysis_details", "analysis_failures", "file_divisions", "albums",
            "artists",
        ]
        let library = try rows(data.libraryDatabase, tables + (isExact ? ["library_state"] : []), isExact)
        return library + (try rows(data.visualizerDatabase, ["frames"], isExact))
    }

    private static func rows(_ path: String, _ tables: [String], _ isExact: Bool) throws -> [String] {
        let database = try Database(path: path, options: .init(access: .readOnly))
        return try tables.flatMap { table in
            let names: [String] = try database.values("SELECT name FROM pragma_table_info(?)", [table])
            let columns = names.filter { isExact || !passing.contains($0) }.joined(separator: ", ")
            let values =
                "json_array(\(columns.split(separator: ", ").map { "quote(\($0))" }.joined(separator: ", "))"
                + "\(isExact ? "" : references[table] ?? ""))"
            let rows: [String] = try database.values(
                "SELECT '\(table) ' || \(values) FROM \(table) ORDER BY 1")
            return rows
        }
    }
}
