/// What went wrong in a database, with the statement and the file it went wrong in.
public struct DatabaseError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure: one of SQLite's primary result codes (below 256), or one of this module's own.
    ///
    /// Open-ended: codes that have no name here still arrive with their number.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number: SQLite's primary result code, or 1000 and above for this module's own codes.
        public let rawValue: Int32

        /// Makes a code of its number.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// A statement is wrong, or any failure that SQLite has no better code for (`SQLITE_ERROR`).
        public static let general = Code(rawValue: 1)
        /// The file may not be read or written (`SQLITE_PERM`).
        public static let permission = Code(rawValue: 3)
        /// Another connection holds the lock, longer than the busy timeout (`SQLITE_BUSY`).
        public static let busy = Code(rawValue: 5)
        /// A table of this very connection is locked (`SQLITE_LOCKED`).
        public static let locked = Code(rawValue: 6)
        /// Memory ran out (`SQLITE_NOMEM`).
        public static let outOfMemory = Code(rawValue: 7)
        /// A write to a database that was opened for reading, or lies on a read-only disk (`SQLITE_READONLY`).
        public static let readOnly = Code(rawValue: 8)
        /// The system refused to read or write the file (`SQLITE_IOERR`).
        public static let inputOutput = Code(rawValue: 10)
        /// The file is damaged (`SQLITE_CORRUPT`).
        public static let corrupt = Code(rawValue: 11)
        /// The disk is full, or the database has reached its allowed size (`SQLITE_FULL`).
        public static let full = Code(rawValue: 13)
        /// The file cannot be opened or made (`SQLITE_CANTOPEN`).
        public static let cannotOpen = Code(rawValue: 14)
        /// A string, blob or row is larger than SQLite allows (`SQLITE_TOOBIG`).
        public static let tooBig = Code(rawValue: 18)
        /// A UNIQUE, CHECK, NOT NULL or FOREIGN KEY rule was broken (`SQLITE_CONSTRAINT`).
        public static let constraint = Code(rawValue: 19)
        /// The library was called in a way it does not allow (`SQLITE_MISUSE`).
        public static let misuse = Code(rawValue: 21)
        /// The number of a parameter is out of range (`SQLITE_RANGE`).
        public static let range = Code(rawValue: 25)
        /// The file is not an SQLite database (`SQLITE_NOTADB`).
        public static let notADatabase = Code(rawValue: 26)

        /// The database was made by a newer version of the program.
        public static let schemaTooNew = Code(rawValue: 1000)
        /// The file is a database of another program.
        public static let foreignDatabase = Code(rawValue: 1001)
        /// A column holds another type than the one asked for, or NULL where a value was asked for.
        public static let typeMismatch = Code(rawValue: 1002)
        /// The row has no column of this name or number.
        public static let noSuchColumn = Code(rawValue: 1003)
        /// The number of arguments differs from the number of parameters in the statement.
        public static let argumentCount = Code(rawValue: 1004)
    }

    /// The kind of failure.
    public let code: Code
    /// SQLite's extended result code, which tells sub-kinds apart; equal to `code` where there is none.
    public let extendedCode: Int32
    /// What happened, for a person to read.
    public let message: String
    /// The statement at fault, if one was running.
    public let sql: String?
    /// The database file.
    public let path: String?

    /// Makes an error.
    public init(
        _ code: Code, extendedCode: Int32? = nil, message: String, sql: String? = nil, path: String? = nil
    ) {
        self.code = code
        self.extendedCode = extendedCode ?? code.rawValue
        self.message = message
        self.sql = sql
        self.path = path
    }

    /// The message, with the file and the beginning of the statement.
    public var description: String {
        var text = message
        if let path { text = "\(path): \(text)" }
        if let sql { text += " (in: \(sql.prefix(200)))" }
        return text
    }
}
