internal import SQLiteDatabase

/// Identifies a state of the catalogue: its last change, and the random mark of that change.
package struct CatalogueRevision: Sendable, Equatable, CustomStringConvertible {
    /// The number of the change.
    package let number: Int
    /// A random 32-bit mark that distinguishes changes with the same number.
    package let mark: Int

    /// Memberwise initializer.
    package init(number: Int, mark: Int) {
        self.number = number
        self.mark = mark
    }

    /// Parses a ``description``; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), number > 0,
            parts[1].utf8.count == 8, let mark = UInt32(parts[1], radix: 16)
        else { return nil }
        self.init(number: number, mark: Int(Int32(bitPattern: mark)))
        guard description == text else { return nil }
    }

    /// The form stored by clients: `1204-0f3a99c2`.
    package var description: String {
        let digits = String(UInt32(truncatingIfNeeded: mark), radix: 16)
        return "\(number)-\(String(repeating: "0", count: 8 - digits.count))\(digits)"
    }
}
