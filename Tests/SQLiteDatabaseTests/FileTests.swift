import Foundation
import SQLiteDatabase
import TestSupport
import Testing

@Suite struct FileTests {
    @Test func writeAheadLoggingIsOn() throws {
        let folder = try TemporaryDirectory()
        let database = try Database(path: folder.file("a.sqlite"))
        #expect(try database.scalar("PRAGMA journal_mode") == "wal")
        #expect(try database.scalar("PRAGMA foreign_keys") == 1)
    }

    @Test func aNewFileTakesThePageSize() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("a.sqlite")
        do {
            let database = try Database(path: path, options: .init(pageSize: 16_384))
            try database.execute("CREATE TABLE t (v INTEGER) STRICT")
        }
        let again = try Database(path: path)
        #expect(try again.scalar("PRAGMA page_size") == 16_384)
        #expect(try again.scalar("PRAGMA journal_mode") == "wal")
    }

    @Test func closingFreesTheFiles() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("a.sqlite")
        do {
            let database = try Database(path: path)
            try database.execute("CREATE TABLE t (v INTEGER) STRICT")
            #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        }
        // The last connection to close removes the log.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.sqlite"])
    }

    @Test(arguments: [
        "text": Data(
            "This is a letter, not a database, and long enough for a header of a hundred bytes. ".utf8)
            + Data(repeating: 0x20, count: 5_000),
        "noise": Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ 13) }),
    ])
    func aFileThatIsNoDatabaseIsLeftAlone(name: String, content: Data) throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("\(name).sqlite")
        try content.write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: DatabaseError.self) { try Database(path: path) }
        #expect(error?.code == .notADatabase)
        #expect(error?.path == path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["\(name).sqlite"])
    }

    @Test func aDamagedPageIsAClearErrorAndNothingIsDeleted() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("a.sqlite")
        do {
            let database = try Database(path: path)
            try database.execute("CREATE TABLE t (v TEXT) STRICT")
            for number in 0..<2_000 { try database.execute("INSERT INTO t VALUES (?)", ["row \(number)"]) }
        }
        var content = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(content.count > 16_384)
        content.replaceSubrange(
            4_096..<content.count, with: Data(repeating: 0xA5, count: content.count - 4_096))
        try content.write(to: URL(fileURLWithPath: path))
        let database = try Database(path: path)
        #expect(code { _ = try database.fetchAll("SELECT v FROM t") { _ in 0 } } == .corrupt)
        #expect(try database.damage() != nil)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == content.count)
    }

    @Test func missingPlacesAndReadOnlyFiles() throws {
        let folder = try TemporaryDirectory()
        #expect(code { _ = try Database(path: folder.file("no/such/folder.sqlite")) } == .cannotOpen)
        #expect(code { _ = try Database(path: "") } == .cannotOpen)
        #expect(code { _ = try Database(path: folder.file("a\0b")) } == .cannotOpen)
        let absent = folder.file("absent.sqlite")
        #expect(code { _ = try Database(path: absent, options: .init(access: .readOnly)) } == .cannotOpen)
        #expect(!FileManager.default.fileExists(atPath: absent))

        let path = folder.file("a.sqlite")
        let writer = try Database(path: path)
        try writer.execute("CREATE TABLE t (v INTEGER) STRICT")
        let reader = try Database(path: path, options: .init(access: .readOnly))
        #expect(code { try reader.execute("INSERT INTO t VALUES (1)") } == .readOnly)
        #expect(try reader.scalar("SELECT count(*) FROM t") == 0)
    }

    @Test func namesThatLookLikeAddressesAreNames() throws {
        let folder = try TemporaryDirectory()
        let name = "file:odd?mode=memory"
        let database = try Database(path: folder.file(name))
        try database.execute("CREATE TABLE t (v INTEGER) STRICT")
        #expect(FileManager.default.fileExists(atPath: folder.file(name)))
    }
}
