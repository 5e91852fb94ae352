import Foundation
import SQLiteDatabase
import TestSupport
import Testing

/// Checks copies with the sqlite3 tool.
@Suite struct CopyTests {
    private let folder: TemporaryDirectory
    private let path: String
    private let copy: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.file("a.sqlite")
        copy = folder.file("copy 'quoted'.sqlite")
    }

    @Test func aCopyIsWhatWasCommitted() throws {
        let writer = try Database(path: path)
        try writer.execute("CREATE TABLE t (v INTEGER) STRICT")
        try writer.execute("INSERT INTO t VALUES (1)")
        try writer.transaction {
            try writer.execute("INSERT INTO t VALUES (2)")
            try Database.writeCopy(of: path, to: copy)
        }
        #expect(
            try sqlite3Tool(
                copy, "SELECT group_concat(v) FROM t; PRAGMA integrity_check; PRAGMA journal_mode"
            )
            .output == "1\nok\ndelete\n")
        // The copy has no other files beside either database.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.filter { $0.hasPrefix("copy") } == ["copy 'quoted'.sqlite"])
    }

    /// Covers every kind of schema object that copying has to handle.
    @Test func allKindsOfObjectsComeAlong() throws {
        let writer = try Database(path: path)
        try writer.executeScript(
            """
            CREATE TABLE "odd ""name" (id INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT UNIQUE, w REAL) STRICT;
            INSERT INTO "odd ""name" (id) VALUES (9);
            DELETE FROM "odd ""name";
            CREATE TABLE keyed (a TEXT, b INTEGER, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID;
            CREATE TABLE made (x INTEGER, y INTEGER GENERATED ALWAYS AS (x * 2) STORED);
            CREATE INDEX by_w ON "odd ""name" (w) WHERE w > 1;
            CREATE VIEW seen AS SELECT v FROM "odd ""name";
            CREATE VIRTUAL TABLE words USING fts5(v, content = 'odd "name', content_rowid = 'id');
            CREATE TRIGGER fill AFTER INSERT ON "odd ""name" BEGIN
                INSERT INTO words (rowid, v) VALUES (new.id, new.v);
            END;
            CREATE TABLE bare (x);
            INSERT INTO "odd ""name" (id, v, w) VALUES (5, 'five trees', 1.5);
            INSERT INTO keyed VALUES ('k', 1), ('k', 2);
            INSERT INTO made (x) VALUES (21);
            INSERT INTO bare VALUES ('x');
            PRAGMA user_version = 12;
            PRAGMA application_id = 345;
            """)
        try Database.writeCopy(of: path, to: copy)
        // The order in sqlite_schema does not matter.
        let schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
        #expect(try sqlite3Tool(copy, schema).output == sqlite3Tool(path, schema).output)
        for query in [
            "SELECT * FROM \"odd \"\"name\"", "SELECT * FROM keyed", "SELECT * FROM made",
            "SELECT * FROM seen",
            "SELECT * FROM bare", "SELECT * FROM sqlite_sequence", "PRAGMA user_version",
            "PRAGMA application_id", "SELECT count(*) FROM words_data", "SELECT * FROM words_docsize",
        ] {
            let copied = try sqlite3Tool(copy, query)
            #expect(copied.status == 0 && !copied.output.isEmpty)
            #expect(copied.output == (try sqlite3Tool(path, query).output), "\(query)")
        }
        #expect(
            try sqlite3Tool(
                copy,
                """
                PRAGMA integrity_check; SELECT rowid FROM words WHERE words MATCH 'five';
                INSERT INTO "odd ""name" (v) VALUES ('ten birds'); SELECT max(id) FROM "odd ""name";
                SELECT rowid FROM words WHERE words MATCH 'birds';
                INSERT INTO words (words, rank) VALUES ('integrity-check', 1);
                """
            ).output == "ok\n5\n10\n10\n")
    }

    @Test func columnsMayBeLeftEmpty() throws {
        let writer = try Database(path: path)
        try writer.executeScript(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a BLOB NOT NULL, b BLOB, c TEXT NOT NULL, d INTEGER NOT NULL, e TEXT)
            STRICT;
            INSERT INTO t VALUES (3, zeroblob(1000000), zeroblob(1000000), 'c', 4, 'e');
            """)
        try Database.writeCopy(of: path, to: copy, leavingEmpty: CopyOmissions(["t": ["a", "b", "c", "d"]]))
        #expect(
            try sqlite3Tool(copy, "SELECT id, typeof(a), length(a), b IS NULL, c = '', d, e FROM t").output
                == "3|blob|0|1|1|0|e\n")
        let size = try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int
        #expect(try #require(size) < 20_000)
    }

    @Test func whatCannotBeWrittenSaysSo() throws {
        _ = try Database(path: path)
        #expect(code { try Database.writeCopy(of: path, to: folder.file("no/such/copy")) } == .cannotOpen)
        try Data("no database at all, but a text of some length".utf8).write(to: URL(filePath: path))
        #expect(code { try Database.writeCopy(of: path, to: copy) } == .notADatabase)
    }

    @Test func anotherConnectionsChangesAreNoticed() throws {
        let (one, other) = (try Database(path: path), try Database(path: path))
        try one.execute("CREATE TABLE t (v INTEGER) STRICT")
        let before = try other.dataVersion
        #expect(try other.dataVersion == before)
        try one.execute("INSERT INTO t VALUES (1)")
        let after = try other.dataVersion
        #expect(after != before)
        try other.execute("INSERT INTO t VALUES (2)")
        #expect(try other.dataVersion == after)
    }
}
