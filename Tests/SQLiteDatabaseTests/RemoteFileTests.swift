import Foundation
import SQLiteDatabase
import Synchronization
import TestSupport
import Testing

/// Databases that are not on this machine.
@Suite("Remote database files")
struct RemoteFileTests {
    /// Bytes that are read as from another machine.
    private final class Source: RemoteDatabaseFile {
        private let bytes: [UInt8]
        private let state = Mutex((ranges: [Range<Int>](), isAway: false))

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var byteCount: Int { bytes.count }
        /// The ranges that have been read.
        var ranges: [Range<Int>] { state.withLock { $0.ranges } }

        func goAway() { state.withLock { $0.isAway = true } }

        func read(_ range: Range<Int>) -> [UInt8]? {
            state.withLock { state in
                state.ranges.append(range)
                return state.isAway ? nil : Array(bytes[range])
            }
        }
    }

    private let folder: TemporaryDirectory
    private static let rowCount = 50_000

    init() throws { folder = try TemporaryDirectory() }

    /// A table of some megabytes.
    private func source() throws -> Source {
        do {
            let database = try Database(path: folder.file("a.sqlite"))
            try database.execute("PRAGMA journal_mode = DELETE")
            try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT NOT NULL) STRICT")
            try database.transaction {
                for id in 1...Self.rowCount {
                    try database.execute(
                        "INSERT INTO t VALUES (?, ?)", [id, "row \(id) of a table of some megabytes"])
                }
            }
        }
        return Source(try folder.read("a.sqlite"))
    }

    @Test("Rows are those of the local file, and few rows need few bytes")
    func rows() throws {
        let source = try source()
        let remote = try Database(reading: source, path: "elsewhere")
        let local = try Database(path: folder.file("a.sqlite"), options: .init(access: .readOnly))
        let few = "SELECT v FROM t WHERE id > 31234 ORDER BY id LIMIT 300"
        let rows: [String] = try remote.values(few)
        let localRows: [String] = try local.values(few)
        #expect(rows.count == 300 && rows == localRows)
        let bytes = source.ranges.reduce(0) { $0 + $1.count }
        #expect(bytes < 512 << 10 && source.byteCount > 2 << 20, "\(bytes) of \(source.byteCount)")
        #expect(Set(source.ranges).count == source.ranges.count)
        let all = "SELECT v FROM t ORDER BY id DESC"
        let found: [String] = try remote.values(all)
        let localFound: [String] = try local.values(all)
        #expect(found.count == Self.rowCount && found == localFound)
        #expect(try remote.scalar("PRAGMA integrity_check") == "ok")
    }

    @Test("Nothing can be written")
    func writing() throws {
        let remote = try Database(reading: try source(), path: "elsewhere")
        let error = #expect(throws: DatabaseError.self) { try remote.execute("DELETE FROM t") }
        #expect(error?.code == .readOnly && error?.path == "elsewhere")
    }

    @Test("A file that cannot be read, is cut, or is no database is an error that names it")
    func failures() throws {
        let source = try source()
        let remote = try Database(reading: source, path: "elsewhere")
        #expect(try remote.scalar("SELECT v FROM t WHERE id = 1") == "row 1 of a table of some megabytes")
        source.goAway()
        let away = #expect(throws: DatabaseError.self) {
            let _: [String] = try remote.values("SELECT v FROM t")
        }
        #expect(away?.code == .inputOutput && away?.path == "elsewhere")
        #expect(throws: DatabaseError.self) { try Database(reading: source, path: "elsewhere") }
        let cut = Source(Array(try folder.read("a.sqlite").prefix(300_000)))
        let damaged = #expect(throws: DatabaseError.self) {
            let _: [String] = try Database(reading: cut, path: "cut").values("SELECT v FROM t")
        }
        #expect(damaged?.code == .corrupt)
        let text = Source([UInt8](repeating: 65, count: 10_000))
        let foreign = #expect(throws: DatabaseError.self) { try Database(reading: text, path: "text") }
        #expect(foreign?.code == .notADatabase)
        // Nothing is a database without tables.
        #expect(try Database(reading: Source([]), path: "empty").scalar("PRAGMA user_version") == 0)
    }
}
