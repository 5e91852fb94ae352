import MusicalStructure
import Analyzer
import Companion
import Foundation
import HostAccounts
import LibraryStore
import MusicFiles
import StreamHost
import Tagging
import Testing
import TestSupport

/// `GET /db` over HTTP: contents, compression, and copies of a library that changes.
@Suite("Copies of the library over HTTP", .timeLimit(.minutes(30)))
struct LibraryCopyTests {
    private static let gzip = ["-H", "Accept-Encoding: gzip"]
    private let served: ServedLibrary
    private let directory: TemporaryDirectory

    init() async throws {
        served = try await ServedStreams.library.value
        directory = try TemporaryDirectory()
    }

    private func tables(_ path: String) throws -> [Substring] {
        try sqlite3Tool(path, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").output
            .split(separator: "\n")
    }

    @Test(
        "Both copies have all tables and rows; the slim copy has no large columns",
        arguments: [
            "/db", "/db?details=false", "/db?details=true",
        ])
    func rows(path: String) async throws {
        let copy = try directory.write(try await served.get(path).body, as: "copy.sqlite")
        let original = served.library.path
        let tables = try tables(original)
        #expect(tables.contains("tracks") && tables.contains("tracks_fts_data"))
        let counts = tables.map { "SELECT count(*) FROM \"\($0)\"" }.joined(separator: "; ")
        #expect(try sqlite3Tool(copy, counts).output == sqlite3Tool(original, counts).output)
        for query in [
            "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name",
            "PRAGMA user_version; PRAGMA application_id", "SELECT * FROM tracks ORDER BY id",
            "SELECT * FROM analyses ORDER BY id", "SELECT hex(audio_hash) FROM analysis_details ORDER BY 1",
            "SELECT rowid FROM tracks_fts WHERE tracks_fts MATCH 'title'",
        ] {
            #expect(try sqlite3Tool(copy, query).output == sqlite3Tool(original, query).output, "\(query)")
        }
        #expect(
            try sqlite3Tool(copy, "PRAGMA integrity_check; PRAGMA foreign_key_check; PRAGMA journal_mode")
                .output
                == "ok\ndelete\n")
        let details =
            "SELECT hex(frame_index), hex(beats), hex(waveform), hex(momentary_loudness) "
            + "FROM analysis_details ORDER BY audio_hash"
        let areThere = try sqlite3Tool(copy, details).output == sqlite3Tool(original, details).output
        #expect(areThere == (path == "/db?details=true"))
    }

    @Test("A slim copy can be read, but not opened as a library for writing")
    func slimCopy() async throws {
        let folder = try DataFolder(path: directory.file("data"))
        try Data(try await served.get("/db").body).write(to: URL(filePath: folder.libraryDatabase))
        let copy = try LibraryStore(reading: folder)
        var count = 0
        try served.library.forEachTrack { original in
            count += 1
            let copied = try #require(try copy.track(id: original.track.id))
            #expect(copied.track == original.track)
            let (slim, whole) = (try #require(copied.analysis), try #require(original.analysis))
            #expect(slim.profile?.loudness.integratedLUFS == whole.profile?.loudness.integratedLUFS)
            #expect(slim.profile?.tempo?.bpm == whole.profile?.tempo?.bpm)
            #expect(slim.profile?.cue == whole.profile?.cue)
            #expect(slim.stream.frameCount == whole.stream.frameCount)
            #expect(slim.stream.frameIndex.isEmpty && slim.profile?.waveform.pixelCount == 0)
        }
        #expect(count > 5)
        #expect(try copy.tracks(matching: "title", limit: 9).count == 1)
        let error = #expect(throws: StoreError.self) { try LibraryStore(folder) }
        #expect(error?.code == .slimCopy)
    }

    @Test("The compressed copy has its own ETag and ranges, and the same content")
    func compressed() async throws {
        let plain = try await served.get("/db")
        let packed = try await served.get("/db", Self.gzip)
        #expect(packed.field("Content-Encoding") == "gzip" && plain.field("Content-Encoding") == nil)
        #expect(packed.body.count < plain.body.count / 2)
        let unpacked = try ProcessRun.run("gzip", ["-dc", try directory.write(packed.body, as: "db.gz")])
            .output
        #expect([UInt8](unpacked) == plain.body)
        #expect(plain.field("Vary") == "Accept-Encoding" && packed.field("Vary") == "Accept-Encoding")

        let (plainTag, packedTag) = (try #require(plain.field("ETag")), try #require(packed.field("ETag")))
        #expect(plainTag != packedTag && !plainTag.hasPrefix("W/") && !packedTag.hasPrefix("W/"))
        let tags = ["-H", "If-None-Match: \(packedTag)"]
        let unchanged = try await served.get("/db", Self.gzip + tags)
        #expect(unchanged.status == 304 && unchanged.body.isEmpty && unchanged.field("ETag") == packedTag)
        #expect(try await served.get("/db", tags).status == 200)

        // In five parts, each with If-Range.
        var pieces: [UInt8] = []
        let step = packed.body.count / 5 + 1
        for start in stride(from: 0, to: packed.body.count, by: step) {
            let range = ["-r", "\(start)-\(start + step - 1)", "-H", "If-Range: \(packedTag)"]
            let piece = try await served.get("/db", Self.gzip + range)
            let end = min(start + step, packed.body.count) - 1
            #expect(piece.status == 206)
            #expect(piece.field("Content-Range") == "bytes \(start)-\(end)/\(packed.body.count)")
            #expect(piece.field("Content-Encoding") == "gzip")
            pieces += piece.body
        }
        #expect(pieces == packed.body)
        // A range with the ETag of the other representation returns the whole content.
        let other = try await served.get("/db", Self.gzip + ["-r", "5-9", "-H", "If-Range: \(plainTag)"])
        #expect(other.status == 200 && other.body == packed.body)
        let plainPiece = try await served.get("/db", ["-r", "100-", "-H", "If-Range: \(plainTag)"])
        #expect(plainPiece.status == 206 && plainPiece.body == Array(plain.body[100...]))
        let head = try await served.get("/db", Self.gzip + ["-I"])
        #expect(head.field("Content-Length") == "\(packed.body.count)" && head.field("ETag") == packedTag)
        #expect(try await served.get("/db?details=maybe").status == 422)
    }

    @Test("Each download during writes is consistent, and the last one is complete")
    func writer() async throws {
        try await ServedLibrary.with(Self.noMusic) { served in
            let written = Task.detached { try Self.write(300, to: served.library) }
            var seen = 0
            repeat {
                let copy = try directory.write(try await served.get("/db").body, as: "copy.sqlite")
                let report = try sqlite3Tool(
                    copy,
                    """
                    PRAGMA integrity_check; SELECT count(*) FROM tracks_fts WHERE tracks_fts MATCH 'written';
                    SELECT count(*), max(id) FROM tracks; SELECT count(*) FROM artists;
                    INSERT INTO tracks_fts (tracks_fts, rank) VALUES ('integrity-check', 1)
                    """
                ).output.split(separator: "\n").map(String.init)
                try #require(report.count == 4)
                let count = try #require(Int(report[1]))
                #expect(report[0] == "ok" && report[2] == (count == 0 ? "0|" : "\(count)|\(count)"))
                #expect(report[3] == "\(count)" && count >= seen)
                seen = count
            } while seen < 300
            try await written.value
        }
    }

    /// Files that result in an empty library.
    private static let noMusic = [(name: "text.mp3", bytes: Array("no music".utf8))]

    /// Stores tracks with one artist each: a transaction writes rows of several tables.
    private static func write(_ count: Int, to library: LibraryStore, from first: Int = 0) throws {
        for number in first..<first + count { try write(number, comment: nil, to: library) }
    }

    private static func write(_ number: Int, comment: String?, to library: LibraryStore) throws {
        let path = try #require(RelativePath(text: "\(number).mp3"))
        var tags = TrackTags()
        tags.title = "Written \(number)"
        tags.artist = "Artist \(number)"
        tags.comment = comment
        let hash = try #require(
            AudioHash(bytes: [UInt8(number % 256), UInt8(number / 256)] + Array(repeating: 7, count: 14)))
        let record = TrackRecord(
            path: path, file: FileState(size: number, modificationTimeNanoseconds: number), audioHash: hash,
            tags: tags, analysis: nil)
        try library.record([record]) { _ in true }
    }

    @Test("During a scan, copies are reused for a while; afterwards requests get the final state")
    func pass() async throws {
        try await ServedLibrary.with(Self.noMusic) { served in
            _ = try await served.get("/db")
            var tags: Set<String> = []
            let time = ContinuousClock()
            let start = time.now
            do {
                let lock = try PassLock(served.data)
                for number in 0..<10 {
                    try Self.write(1, to: served.library, from: number)
                    tags.insert(try #require(try await served.get("/db", Self.gzip).field("ETag")))
                }
                _ = consume lock
            }
            // One before the scan and one per minimum age during it: one in total, unless the machine stalls.
            let ages = (time.now - start) / .seconds(30)
            #expect(Double(tags.count) <= 2 + ages, "\(tags)")
            let final = try directory.write(try await served.get("/db").body, as: "final.sqlite")
            #expect(try sqlite3Tool(final, "SELECT count(*) FROM tracks").output == "10\n")
            // Without a scan, every change is visible at once.
            try Self.write(1, to: served.library, from: 10)
            let next = try directory.write(try await served.get("/db").body, as: "next.sqlite")
            #expect(try sqlite3Tool(next, "SELECT count(*) FROM tracks").output == "11\n")
        }
    }

    @Test("A running download continues with the copy that it started with")
    func longDownload() async throws {
        try await ServedLibrary.with(Self.noMusic) { served in
            // More than the buffers of a connection hold.
            var random = SeededGenerator(seed: 4)
            let letters = (0..<24_000_000).map { _ in UInt8.random(in: 97...122, using: &random) }
            let comment = String(decoding: letters, as: UTF8.self)
            try Self.write(0, comment: comment, to: served.library)
            async let slow = served.get("/db", ["--limit-rate", "12M"])
            try await Task.sleep(for: .milliseconds(500))
            for number in 1...3 {
                try Self.write(1, to: served.library, from: number)
                #expect(try await served.get("/db", Self.gzip).status == 200)
            }
            let copy = try directory.write(try await slow.body, as: "copy.sqlite")
            #expect(try sqlite3Tool(copy, "PRAGMA integrity_check").output == "ok\n")
            #expect(
                try sqlite3Tool(copy, "SELECT length(comment) FROM tracks").output.hasPrefix("24000000\n"))
            try await Self.copies(in: served.data, become: [])
        }
    }

    @Test("Copies of killed hosts are deleted, those of running hosts are kept")
    func leftovers() async throws {
        let data = try DataFolder(path: directory.file("data"))
        let ended = try ChildProcess(["true"])
        ended.wait()
        let left = "library.snapshot-\(ended.id)-x.sqlite"
        // Process 1 is always running.
        let foreign = "library.snapshot-1-x.sqlite"
        for name in [left, "\(left)-journal", foreign] {
            try Data([1]).write(to: URL(filePath: "\(data.path)/\(name)"))
        }
        try FileManager.default.createDirectory(
            atPath: directory.file("music"), withIntermediateDirectories: true)
        let music = try MusicFolder(path: directory.file("music"))
        let host = try Host(
            music: music, data: data, settings: Host.Settings(name: "x"),
            secrets: HostSecrets(dataFolder: data.path),
            queue: AnalysisQueue(data))
        try await Self.copies(in: data, become: [foreign])
        withExtendedLifetime(host) {}
    }

    /// Waits until a data folder contains exactly these copies.
    private static func copies(in data: DataFolder, become names: [String]) async throws {
        try await until {
            try FileManager.default.contentsOfDirectory(atPath: data.path)
                .filter { $0.hasPrefix("library.snapshot-") } == names
        }
    }
}
