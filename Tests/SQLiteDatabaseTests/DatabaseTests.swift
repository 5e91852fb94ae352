import Foundation
import SQLiteDatabase
import Testing

@Suite struct DatabaseTests {
    @Test(arguments: [
        DatabaseValue.null, .integer(.min), .integer(.max), .integer(0), .real(-0.1), .real(1e308),
        .text(""), .text("Sigur Rós 🎵 \0 after NUL"), .text("it's \"quoted\"; DROP TABLE t"),
        .blob([]), .blob([0, 255, 39, 0]), .blob([UInt8](repeating: 7, count: 300_000)),
    ])
    func valuesComeBackAsTheyWentIn(value: DatabaseValue) throws {
        let database = try Database.inMemory()
        try database.execute("CREATE TABLE t (v ANY) STRICT")
        try database.execute("INSERT INTO t VALUES (?)", [value])
        let back = try database.fetchOne("SELECT v, typeof(v) AS type FROM t") { row in
            let type: String = try row["type"]
            let value: DatabaseValue =
                switch type {
                case "integer": .integer(try row["v"])
                case "real": .real(try row["v"])
                case "text": .text(try row["v"])
                case "blob": .blob(try row["v"])
                default: .null
                }
            return value
        }
        #expect(back == value)
    }

    @Test("Columns are read by name, in any order and any number of times")
    func columnsByName() throws {
        let database = try Database.inMemory()
        let orders = [
            ["a", "b", "c", "d"], ["d", "c", "b", "a"], ["b", "d"], ["c", "c", "d", "a", "a", "b"],
            ["a", "c"],
        ]
        let values = ["a": 3, "b": nil, "c": 5, "d": 6]
        let sql = "SELECT 3 + x AS a, NULL AS b, 5 + x AS c, 6 + x AS d FROM (SELECT 0 AS x UNION SELECT 10)"
        for order in orders {
            // The same prepared statement each time, and two rows.
            let rows = try database.fetchAll(sql) { row in
                var read: [Int?] = []
                for name in order { read.append(try row[name]) }
                return read
            }
            let first = order.map { values[$0] ?? nil }
            #expect(rows == [first, first.map { $0.map { $0 + 10 } }], "\(order)")
        }
    }

    @Test("The first of several columns with the same name is read, in any order")
    func equalNames() throws {
        let database = try Database.inMemory()
        let row = try database.fetchOne("SELECT 1 AS id, 2 AS id, 3 AS b, 4 AS id, 5 AS c") { row -> [Int] in
            [try row["id"], try row["id"], try row["b"], try row["id"], try row["c"]]
        }
        #expect(row == [1, 1, 3, 1, 5])
    }

    @Test("A missing column is an error that names the column and the statement")
    func missingColumn() throws {
        let database = try Database.inMemory()
        let sql = "SELECT 1 AS a, 2 AS b"
        for known in [[], ["a"], ["a", "b"]] {
            let error = #expect(throws: DatabaseError.self) {
                try database.forEach(sql) { row in
                    for name in known { let _: Int = try row[name] }
                    let _: Int? = try row["missing"]
                }
            }
            #expect(error?.code == .noSuchColumn)
            #expect(error?.message == "the row has no column missing")
            #expect(error?.sql == sql)
        }
    }

    @Test("Values and scalars come from queries with exactly one column")
    func oneColumn() throws {
        let database = try Database.inMemory()
        let list = "SELECT 1 AS v UNION SELECT 2 ORDER BY v DESC"
        #expect(try database.values(list) == [2, 1])
        #expect(try database.scalar(list) == 2)
        #expect(try database.values("SELECT 1 WHERE ?", [false]) == [Int]())
        func values(_ sql: String) -> DatabaseError.Code? { code { let _: [Int] = try database.values(sql) } }
        func scalar(_ sql: String) -> DatabaseError.Code? { code { let _: Int? = try database.scalar(sql) } }
        // Even without rows.
        #expect(values("SELECT 1, 2 WHERE 0") == .misuse && scalar("SELECT 1, 2 WHERE 0") == .misuse)
        #expect(values("SELECT 'x'") == .typeMismatch && scalar("SELECT 'x'") == .typeMismatch)
        #expect(values("SELECT NULL") == .typeMismatch && scalar("SELECT NULL") == nil)
    }

    @Test func wrongReadsAreErrorsNotGuesses() throws {
        let database = try Database.inMemory()
        func read<Value: DatabaseReadable>(_ column: String, as: Value.Type) throws {
            _ = try database.fetchOne("SELECT NULL AS n, 'x' AS t, 9223372036854775807 AS i, 1.5 AS r") {
                row -> Value in try row[column]
            }
        }
        #expect(throws: DatabaseError.self) { try read("n", as: Int.self) }
        #expect(code { try read("t", as: Int.self) } == .typeMismatch)
        #expect(code { try read("r", as: Int.self) } == .typeMismatch)
        #expect(code { try read("i", as: String.self) } == .typeMismatch)
        #expect(code { try read("missing", as: Int.self) } == .noSuchColumn)
    }

    @Test func argumentsMustMatchTheParameters() throws {
        let database = try Database.inMemory()
        #expect(code { try database.execute("SELECT ?, ?", [1]) } == .argumentCount)
        #expect(code { try database.execute("SELECT 1", [1]) } == .argumentCount)
    }

    @Test func syntaxErrorsCarryTheStatementAndTheFile() throws {
        let database = try Database.inMemory()
        let error = #expect(throws: DatabaseError.self) { try database.execute("SELEC 1") }
        #expect(error?.code == .general)
        #expect(error?.sql == "SELEC 1")
        #expect(error?.path == ":memory:")
        #expect(error?.message.contains("SELEC") == true)
        #expect(code { try database.execute("") } == .misuse)
    }

    @Test func aQueryMayRunInsideTheSameQuery() throws {
        let database = try Database.inMemory()
        let sql = "SELECT value FROM (SELECT 1 AS value UNION SELECT 2 UNION SELECT 3)"
        var pairs: [[Int]] = []
        try database.forEach(sql) { outer in
            let a: Int = try outer["value"]
            try database.forEach(sql) { inner in pairs.append([a, try inner["value"]]) }
        }
        #expect(pairs == [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3], [3, 1], [3, 2], [3, 3]])
    }

    @Test func aRunThatThrewLeavesTheStatementFresh() throws {
        let database = try Database.inMemory()
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try database.forEach("SELECT 1 UNION SELECT 2") { _ in throw Stop() }
        }
        #expect(try database.values("SELECT 1 UNION SELECT 2") == [1, 2])
    }

    @Test func moreStatementsThanTheCacheHolds() throws {
        let database = try Database.inMemory()
        for round in 0..<2 {
            for number in 0..<200 {
                #expect(try database.scalar("SELECT \(number) + ?", [round]) == number + round)
            }
        }
    }

    @Test func foreignKeysAndStrictTypesAreEnforced() throws {
        let database = try Database.inMemory()
        try database.executeScript(
            "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT; CREATE TABLE b (a INTEGER REFERENCES a) STRICT")
        #expect(code { try database.execute("INSERT INTO b VALUES (9)") } == .constraint)
        #expect(code { try database.execute("INSERT INTO b VALUES ('text')") } == .constraint)
    }

    @Test func fullTextSearchIsThere() throws {
        #expect(try Database.inMemory().hasFullTextSearch)
    }

    @Test func largeBlobsGoInUncopiedAndComeOutInSlices() throws {
        let database = try Database.inMemory()
        try database.execute("CREATE TABLE f (id INTEGER PRIMARY KEY, n INTEGER, data BLOB) STRICT")
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try database.execute("INSERT INTO f VALUES (5, 6, zeroblob(?))", [bytes.count])
        try overwriteBlob(of: database, with: [Array(bytes[..<1_000]), [], Array(bytes[1_000...])], rowID: 5)
        try database.execute("INSERT INTO f VALUES (7, 8, zeroblob(0))")
        try overwriteBlob(of: database, with: [[]], rowID: 7)
        #expect(try database.scalar("SELECT data FROM f WHERE id = 5") == bytes)
        #expect(try database.scalar("SELECT n FROM f WHERE id = 5") == 6)
        #expect(try database.scalar("SELECT typeof(data) FROM f WHERE id = 7") == "blob")
        let reader = try BlobReader(database, table: "f", column: "data", rowID: 5)
        #expect(reader.count == bytes.count)
        #expect(try reader.read(1_000_000..<1_000_100) == Array(bytes[1_000_000..<1_000_100]))
        #expect(try reader.read(2_999_999..<9_000_000) == [bytes[2_999_999]])
        #expect(try reader.read(9_000_000..<9_000_001) == [])
        #expect(code { _ = try BlobReader(database, table: "f", column: "data", rowID: 99) } == .general)
        func overwriting(_ bytes: [UInt8], rowID: Int64, column: String = "data") -> DatabaseError.Code? {
            code {
                try database.transaction {
                    try overwriteBlob(of: database, with: [bytes], rowID: rowID, column: column)
                }
            }
        }
        #expect(overwriting([1, 2], rowID: 5) == .general && overwriting(bytes + [1], rowID: 5) == .general)
        #expect(overwriting([1], rowID: 99) == .general)
        #expect(overwriting([1], rowID: 5, column: "nothing") == .general)
        #expect(overwriting([1], rowID: 5, column: "n") == .general)
        #expect(try database.scalar("SELECT data FROM f WHERE id = 5") == bytes)
    }
}

/// Writes the `data` of a row of the table `f` in pieces.
private func overwriteBlob(
    of database: Database, with pieces: [[UInt8]], rowID: Int64, column: String = "data"
) throws {
    var writer = try BlobWriter(database, table: "f", column: column, rowID: rowID)
    for piece in pieces { try writer.append(piece) }
    try writer.close()
}

/// Returns the code of the error that a closure throws, or nil if it throws none.
func code(_ body: () throws -> Void) -> DatabaseError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? DatabaseError)?.code
    }
}
