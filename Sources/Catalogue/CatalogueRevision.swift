internal import SQLiteDatabase

/// Name of a state of the catalogue: the last of its changes, and the mark that this change was given at random.
public struct CatalogueRevision: Sendable, Equatable, CustomStringConvertible {
    /// The number of the change.
    let number: Int
    /// Nobody else's change of this number has the same, but one in four thousand million.
    let mark: Int

    init(number: Int, mark: Int) {
        self.number = number
        self.mark = mark
    }

    /// Reads what ``description`` gives; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), number > 0,
            parts[1].utf8.count == 8, let mark = UInt32(parts[1], radix: 16)
        else { return nil }
        self.init(number: number, mark: Int(Int32(bitPattern: mark)))
        guard description == text else { return nil }
    }

    /// As clients keep it: `1204-0f3a99c2`.
    public var description: String {
        let digits = String(UInt32(truncatingIfNeeded: mark), radix: 16)
        return "\(number)-\(String(repeating: "0", count: 8 - digits.count))\(digits)"
    }
}
