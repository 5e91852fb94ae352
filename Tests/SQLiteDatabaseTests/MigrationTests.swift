import SQLiteDatabase
import TestSupport
import Testing

@Suite struct MigrationTests {
    private let id: Int32 = 0x4B61_6E6F
    private let steps = [
        Migration("a table", sql: "CREATE TABLE t (v INTEGER) STRICT; INSERT INTO t VALUES (1);"),
        Migration("twice the value") { try $0.execute("UPDATE t SET v = v * 2") },
        Migration("another column", sql: "ALTER TABLE t ADD COLUMN w TEXT"),
    ]

    @Test func stepsRunOnceInOrder() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("m.sqlite")
        let database = try Database(path: path)
        try database.migrate(Array(steps.prefix(1)), applicationID: id)
        #expect(try database.userVersion == 1)
        try database.migrate(steps, applicationID: id)
        try database.migrate(steps, applicationID: id)
        #expect(try database.userVersion == 3)
        #expect(try database.scalar("SELECT v FROM t WHERE w IS NULL") == 2)
        #expect(try sqlite3Tool(path, "PRAGMA user_version; PRAGMA application_id").output == "3\n\(id)\n")
    }

    @Test func aFailingStepLeavesTheVersionBefore() throws {
        let database = try Database.inMemory()
        let broken = [steps[0], Migration("breaks", sql: "CREATE TABLE u (v INTEGER) STRICT; NONSENSE")]
        #expect(throws: DatabaseError.self) { try database.migrate(broken, applicationID: id) }
        #expect(try database.userVersion == 1)
        #expect(try database.scalar("SELECT count(*) FROM sqlite_schema WHERE name = 'u'") == 0)
        try database.migrate(steps, applicationID: id)
        #expect(try database.userVersion == 3)
    }

    @Test func aNewerDatabaseIsRefused() throws {
        let database = try Database.inMemory()
        try database.migrate(steps, applicationID: id)
        let older = Array(steps.prefix(2))
        let error = #expect(throws: DatabaseError.self) { try database.migrate(older, applicationID: id) }
        #expect(error?.code == .schemaTooNew)
        #expect(error?.message.contains("newer version") == true)
        #expect(code { try database.requireMigrated(older, applicationID: id) } == .schemaTooNew)
        #expect(try database.userVersion == 3)
    }

    @Test func anotherProgramsDatabaseIsRefused() throws {
        let database = try Database.inMemory()
        try database.execute("CREATE TABLE theirs (v INTEGER)")
        #expect(code { try database.migrate(steps, applicationID: id) } == .foreignDatabase)
        let marked = try Database.inMemory()
        try marked.execute("PRAGMA application_id = 7")
        #expect(code { try marked.migrate(steps, applicationID: id) } == .foreignDatabase)
        #expect(code { try Database.inMemory().requireMigrated(steps, applicationID: id) } == .general)
    }

    @Test func severalConnectionsMigrateAtOnce() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("race.sqlite")
        let steps = steps
        let id = id
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let database = try Database(path: path)
                    try database.migrate(steps, applicationID: id)
                    return try database.scalar("SELECT v FROM t") ?? -1
                }
            }
            for try await value in group { #expect(value == 2) }
        }
    }
}
