import SQLiteDatabase
import TestSupport
import Testing

@Suite("Shared connections")
struct SharedConnectionTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func pool() throws -> DatabasePool {
        try DatabasePool(path: directory.file("pool.sqlite")) { database in
            try database.executeScript(
                """
                CREATE TABLE IF NOT EXISTS state (revision INTEGER NOT NULL);
                CREATE TABLE IF NOT EXISTS numbers (number INTEGER NOT NULL);
                INSERT INTO state SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM state);
                """)
        }
    }

    private func revision(_ pool: DatabasePool) throws -> Int {
        try pool.read { try $0.scalar("SELECT revision FROM state") ?? 0 }
    }

    @Test("The connection that writes is prepared first; the revision rises with a change only")
    func revisions() throws {
        let pool = try pool()
        #expect(try revision(pool) == 1)
        try pool.write(raisingRevisionOf: "state") { try $0.execute("INSERT INTO numbers VALUES (7)") }
        #expect(try revision(pool) == 2)
        try pool.write(raisingRevisionOf: "state") { try $0.execute("DELETE FROM numbers WHERE number = 8") }
        #expect(try revision(pool) == 2)
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try pool.write(raisingRevisionOf: "state") { database in
                try database.execute("INSERT INTO numbers VALUES (9)")
                throw Failure()
            }
        }
        #expect(try revision(pool) == 2)
        #expect(try pool.read { try $0.scalar("SELECT count(*) FROM numbers") ?? 0 } == 1)
    }

    @Test("Each connection for reading is prepared, and cannot write")
    func readers() throws {
        try pool().checkpoint()
        let other = directory.file("other.sqlite")
        _ = try DatabaseQueue(path: other) { try $0.executeScript("CREATE TABLE guests (name TEXT)") }
        let pool = try DatabasePool(
            path: directory.file("pool.sqlite"),
            prepareReader: { try $0.attach(other, as: "other") })
        #expect(try pool.read { try $0.scalar("SELECT count(*) FROM other.guests") ?? -1 } == 0)
        // Without a size of its own, SQLite's default would apply: a quarter of it.
        #expect(try pool.read { try $0.scalar("PRAGMA other.cache_size") ?? 0 } == -8_192)
        #expect(throws: DatabaseError.self) {
            try pool.read { try $0.execute("INSERT INTO numbers VALUES (1)") }
        }
        let closed = DatabasePool(reading: directory.file("pool.sqlite"))
        #expect(try revision(closed) == 1)
        #expect(throws: DatabaseError.self) { try closed.write { _ in } }
    }

    @Test("A watching connection sees changes of other connections")
    func watching() throws {
        let pool = try pool()
        let watcher = try DatabaseQueue.watching(pool.path)
        let before = try watcher.dataVersion
        #expect(try watcher.dataVersion == before)
        try pool.write { try $0.execute("INSERT INTO numbers VALUES (1)") }
        #expect(try watcher.dataVersion != before)
    }

    @Test("Threads that write at the same time lose nothing")
    func concurrency() async throws {
        let pool = try pool()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<25 {
                        try pool.write(raisingRevisionOf: "state") {
                            try $0.execute("INSERT INTO numbers VALUES (?)", [task * 100 + number])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try pool.read { try $0.scalar("SELECT count(DISTINCT number) FROM numbers") ?? 0 } == 100)
        #expect(try revision(pool) == 101)
    }
}
