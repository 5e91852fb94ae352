internal import Crypto
internal import Foundation
internal import LibraryStore
internal import PostgreSQLDatabase
internal import SQLiteDatabase

/// Values of the listening data as texts in PostgreSQL's form.
enum PostgreSQLText {
    /// A row as a JSON object.
    private struct JSONRow: Encodable {
        private struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        let columns: [SharedTable.Column]
        let values: [DatabaseValue]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Name.self)
            for (column, value) in zip(columns, values) {
                try container.encode(PostgreSQLText.text(value), forKey: Name(stringValue: column.name))
            }
        }
    }

    /// The type of a column.
    static func typeName(_ type: SharedTable.ValueType) -> String {
        switch type {
        case .integer: "bigint"
        case .real: "double precision"
        case .text: "text"
        case .blob: "bytea"
        }
    }

    /// A value as text; nil for NULL. PostgreSQL's texts cannot contain NUL, which becomes U+FFFD.
    static func text(_ value: DatabaseValue) -> String? {
        switch value {
        case .null: nil
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text):
            text.unicodeScalars.contains("\0") ? text.replacing("\0", with: "\u{FFFD}") : text
        case .blob(let bytes): "\\x" + Digest.hexadecimalText(bytes)
        }
    }

    /// Rows as a JSON array of objects, all of whose values are texts, so that no number loses precision.
    static func json(_ rows: [[DatabaseValue]], _ columns: [SharedTable.Column]) throws -> String {
        let objects = rows.map { JSONRow(columns: columns, values: $0) }
        return String(decoding: try JSONEncoder().encode(objects), as: UTF8.self)
    }

    /// Reads the values of a row.
    /// - Throws: `SharedListeningError` for a value that this program has not written.
    static func values(_ texts: [String?], _ columns: [SharedTable.Column]) throws -> [DatabaseValue] {
        guard texts.count == columns.count else {
            throw SharedListeningError(isAway: false, "a row has another length")
        }
        return try zip(texts, columns).map { text, column in
            guard let text else { return .null }
            guard let value = value(text, column.type) else {
                throw SharedListeningError(
                    isAway: false, "the column \(column.name) has the value '\(text.prefix(100))'")
            }
            return value
        }
    }

    private static func value(_ text: String, _ type: SharedTable.ValueType) -> DatabaseValue? {
        switch type {
        case .integer: Int64(text).map { .integer($0) }
        case .real: Double(text).map { .real($0) }
        case .text: .text(text)
        case .blob: bytes(text).map { .blob($0) }
        }
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.hasPrefix("\\x"), text.utf8.count % 2 == 0 else { return nil }
        let digits = Array(text.utf8.dropFirst(2))
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
            else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}
