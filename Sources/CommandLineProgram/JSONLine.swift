internal import Foundation

/// Encodes values as single lines of JSON.
package enum JSONLine {
    /// Returns a value as one line, with sorted keys.
    /// - Throws: the error of an encoding that fails.
    package static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
