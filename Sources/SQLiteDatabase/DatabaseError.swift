/// A database error, with the statement and the file concerned.
package struct DatabaseError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error: one of SQLite's primary result codes (below 256), or one of this module's own.
    ///
    /// Open-ended: codes without a name here still have their number.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// SQLite's primary result code, or 1000 and above for this module's own codes.
        package let rawValue: Int32

        /// Creates a code from its number.
        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// An invalid statement, or any error without a specific code (`SQLITE_ERROR`).
        package static let general = Code(rawValue: 1)
        /// No permission to read or write the file (`SQLITE_PERM`).
        package static let permission = Code(rawValue: 3)
        /// Another connection has held the lock for longer than the busy timeout (`SQLITE_BUSY`).
        package static let busy = Code(rawValue: 5)
        /// A table is locked by the same connection (`SQLITE_LOCKED`).
        package static let locked = Code(rawValue: 6)
        /// Out of memory (`SQLITE_NOMEM`).
        package static let outOfMemory = Code(rawValue: 7)
        /// A write to a database that was opened read-only, or is on a read-only disk (`SQLITE_READONLY`).
        package static let readOnly = Code(rawValue: 8)
        /// A system error while reading or writing the file (`SQLITE_IOERR`).
        package static let inputOutput = Code(rawValue: 10)
        /// The file is damaged (`SQLITE_CORRUPT`).
        package static let corrupt = Code(rawValue: 11)
        /// The disk is full, or the database has reached its maximum size (`SQLITE_FULL`).
        package static let full = Code(rawValue: 13)
        /// The file cannot be opened or created (`SQLITE_CANTOPEN`).
        package static let cannotOpen = Code(rawValue: 14)
        /// A string, blob or row exceeds SQLite's limit (`SQLITE_TOOBIG`).
        package static let tooBig = Code(rawValue: 18)
        /// A UNIQUE, CHECK, NOT NULL or FOREIGN KEY constraint was violated (`SQLITE_CONSTRAINT`).
        package static let constraint = Code(rawValue: 19)
        /// Incorrect use of the library (`SQLITE_MISUSE`).
        package static let misuse = Code(rawValue: 21)
        /// A parameter number is out of range (`SQLITE_RANGE`).
        package static let range = Code(rawValue: 25)
        /// The file is not an SQLite database (`SQLITE_NOTADB`).
        package static let notADatabase = Code(rawValue: 26)

        /// The database was created by a newer version of the program.
        package static let schemaTooNew = Code(rawValue: 1000)
        /// The file is a database of another program.
        package static let foreignDatabase = Code(rawValue: 1001)
        /// A column has another type than the requested one, or is NULL where a value is required.
        package static let typeMismatch = Code(rawValue: 1002)
        /// The row has no column with this name or index.
        package static let noSuchColumn = Code(rawValue: 1003)
        /// The number of arguments differs from the number of parameters in the statement.
        package static let argumentCount = Code(rawValue: 1004)
    }

    /// The kind of error.
    package let code: Code
    /// SQLite's extended result code; equal to `code` without one.
    package let extendedCode: Int32
    /// Human-readable message.
    package let message: String
    /// The statement concerned, if one was running.
    package let sql: String?
    /// The database file.
    package let path: String?

    /// Memberwise initializer.
    package init(
        _ code: Code, extendedCode: Int32? = nil, message: String, sql: String? = nil, path: String? = nil
    ) {
        self.code = code
        self.extendedCode = extendedCode ?? code.rawValue
        self.message = message
        self.sql = sql
        self.path = path
    }

    /// The message with the file and the start of the statement.
    package var description: String {
        var text = message
        if let path { text = "\(path): \(text)" }
        if let sql { text += " (in: \(sql.prefix(200)))" }
        return text
    }
}
