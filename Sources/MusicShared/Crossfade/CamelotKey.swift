/// A key on the Camelot wheel: neighbouring keys share all notes but one and mix well.
public struct CamelotKey: Sendable, Equatable, CustomStringConvertible {
    /// Position on the wheel, 1…12, in steps of a fifth. C major and A minor are at 8.
    public var number: Int
    /// Whether the key is major (outer ring).
    public var isMajor: Bool

    /// Creates a key; the number is wrapped into 1…12.
    public init(number: Int, isMajor: Bool) {
        self.number = ((number - 1) % 12 + 12) % 12 + 1
        self.isMajor = isMajor
    }

    /// Parses Camelot notation, "8B" for C major; returns nil for anything else.
    public init?(_ text: String) {
        guard let ring = text.last, ring == "A" || ring == "B", let number = Int(text.dropLast()),
            (1...12).contains(number)
        else { return nil }
        self.init(number: number, isMajor: ring == "B")
    }

    /// The key in Camelot notation.
    public var description: String { "\(number)\(isMajor ? "B" : "A")" }

    /// Relation between two keys.
    public enum Relation: String, Codable, Sendable, CaseIterable {
        /// The same key.
        case same
        /// Relative major and minor: the same notes.
        case relative
        /// A fifth apart in the same mode: one note differs.
        case adjacent
        /// All other pairs.
        case distant
    }

    /// Returns the relation of this key to another.
    public func relation(to other: CamelotKey) -> Relation {
        if number == other.number { return isMajor == other.isMajor ? .same : .relative }
        return isMajor == other.isMajor && steps(to: other) == 1 ? .adjacent : .distant
    }

    /// Returns the number of fifths between the two keys on the wheel, 0…6, regardless of ring.
    public func steps(to other: CamelotKey) -> Int {
        let distance = abs(number - other.number)
        return min(distance, 12 - distance)
    }
}
