import SQLiteDatabase
import TestSupport
import Testing

@Suite struct TransactionTests {
    struct Failure: Error {}

    private func table() throws -> Database {
        let database = try Database.inMemory()
        try database.execute("CREATE TABLE t (v INTEGER) STRICT")
        return database
    }

    private func values(_ database: Database) throws -> [Int] {
        try database.values("SELECT v FROM t ORDER BY v")
    }

    @Test(arguments: [TransactionKind.immediate, .deferred])
    func returningCommitsAndThrowingRollsBack(kind: TransactionKind) throws {
        let database = try table()
        let result = try database.transaction(kind) {
            #expect(database.isInTransaction)
            try database.execute("INSERT INTO t VALUES (1)")
            return "done"
        }
        #expect(result == "done")
        #expect(throws: Failure.self) {
            try database.transaction(kind) {
                try database.execute("INSERT INTO t VALUES (2)")
                throw Failure()
            }
        }
        #expect(!database.isInTransaction)
        #expect(try values(database) == [1])
    }

    @Test func innerTransactionsUndoOnlyTheirOwn() throws {
        let database = try table()
        try database.transaction {
            try database.execute("INSERT INTO t VALUES (1)")
            #expect(throws: Failure.self) {
                try database.transaction {
                    try database.execute("INSERT INTO t VALUES (2)")
                    throw Failure()
                }
            }
            try database.transaction { try database.execute("INSERT INTO t VALUES (3)") }
        }
        #expect(try values(database) == [1, 3])
    }

    @Test func aFullDatabaseSaysSoAndKeepsWhatItHad() throws {
        let folder = try TemporaryDirectory()
        let database = try Database(path: folder.file("full.sqlite"))
        try database.execute("CREATE TABLE t (v BLOB) STRICT")
        try database.execute("INSERT INTO t VALUES (zeroblob(10))")
        try database.execute("PRAGMA max_page_count = 20")
        let failure = code {
            try database.transaction {
                for _ in 0..<100 { try database.execute("INSERT INTO t VALUES (zeroblob(4000))") }
            }
        }
        #expect(failure == .full)
        #expect(!database.isInTransaction)
        #expect(try database.scalar("SELECT count(*) FROM t") == 1)
        // It can continue in the remaining space.
        try database.execute("INSERT INTO t VALUES (zeroblob(11))")
        #expect(try database.damage() == nil)
    }

    @Test func aWriterWaitsNoLongerThanTheBusyTimeout() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("busy.sqlite")
        let first = try Database(path: path)
        try first.execute("CREATE TABLE t (v INTEGER) STRICT")
        let second = try Database(path: path, options: .init(busyTimeoutMilliseconds: 50))
        let clock = ContinuousClock()
        try first.transaction {
            try first.execute("INSERT INTO t VALUES (1)")
            let waited = clock.measure {
                #expect(code { try second.execute("INSERT INTO t VALUES (2)") } == .busy)
            }
            #expect(waited >= .milliseconds(40))
            #expect(waited < .seconds(5))
            // Reading works during a write, and sees the state before it.
            #expect(try second.scalar("SELECT count(*) FROM t") == 0)
        }
        try second.execute("INSERT INTO t VALUES (2)")
        #expect(try values(first) == [1, 2])
    }

    @Test func anotherProcessIsKeptOutAndSeesTheResult() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("two.sqlite")
        let database = try Database(path: path)
        try database.execute("CREATE TABLE t (v INTEGER) STRICT")
        try database.transaction {
            try database.execute("INSERT INTO t VALUES (41)")
            let tool = try sqlite3Tool(path, "INSERT INTO t VALUES (1)")
            #expect(tool.status != 0)
            #expect(tool.output.contains("locked"))
        }
        #expect(try sqlite3Tool(path, "UPDATE t SET v = v + 1; SELECT v FROM t").output == "42\n")
        #expect(try values(database) == [42])
    }

    /// A statement's rollback data is kept in memory up to a limit, and in a file beyond it.
    @Test(arguments: [4_096, 16_384, 65_536], [10, 100, 1_000])
    func aStatementThatFailsAtItsEndUndoesOnlyItself(pageSize: Int, rows: Int) throws {
        let directory = try TemporaryDirectory()
        let database = try Database(path: directory.file("large.sqlite"), options: .init(pageSize: pageSize))
        try database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v BLOB, w INTEGER UNIQUE) STRICT")
        for row in 1...rows {
            try database.execute("INSERT INTO t VALUES (?, zeroblob(1500), ?)", [row, row])
        }
        try database.transaction {
            try database.execute("INSERT INTO t VALUES (0, x'AA', 0)")
            // The last row gets the number that the first has been given.
            #expect(
                code {
                    try database.execute(
                        "UPDATE t SET v = zeroblob(1501), w = iif(id = ?, -1, -1 - id)", [rows])
                } == .constraint)
        }
        #expect(try database.scalar("SELECT count(*) FROM t WHERE length(v) = 1500 AND w = id") == rows)
        #expect(try database.scalar("SELECT count(*) FROM t WHERE id = 0") == 1)
        #expect(try database.scalar("PRAGMA integrity_check") == "ok")
        #expect(try database.scalar("UPDATE t SET v = zeroblob(1501) WHERE id > 0 RETURNING 1") == 1)
    }
}
