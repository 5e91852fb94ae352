/// A key on the Camelot wheel: neighbours share all notes but one, so that they go together.
public struct CamelotKey: Sendable, Equatable, CustomStringConvertible {
    /// Place on the wheel, 1…12: a step is a fifth. C major and A minor are at 8.
    public var number: Int
    /// Whether it is major, on the outer ring.
    public var isMajor: Bool

    /// Puts the parts together; the number is brought to 1…12.
    public init(number: Int, isMajor: Bool) {
        self.number = ((number - 1) % 12 + 12) % 12 + 1
        self.isMajor = isMajor
    }

    /// Reads the wheel's notation, "8B" for C major; nil for anything else.
    public init?(_ text: String) {
        guard let ring = text.last, ring == "A" || ring == "B", let number = Int(text.dropLast()),
            (1...12).contains(number)
        else { return nil }
        self.init(number: number, isMajor: ring == "B")
    }

    /// The wheel's notation.
    public var description: String { "\(number)\(isMajor ? "B" : "A")" }

    /// How two keys stand to each other.
    public enum Relation: String, Codable, Sendable, CaseIterable {
        /// The same key.
        case same
        /// Major and minor of the same notes.
        case relative
        /// A fifth apart in the same mode: one note differs.
        case adjacent
        /// Anything else.
        case distant
    }

    /// How this key stands to another.
    public func relation(to other: CamelotKey) -> Relation {
        if number == other.number { return isMajor == other.isMajor ? .same : .relative }
        return isMajor == other.isMajor && steps(to: other) == 1 ? .adjacent : .distant
    }

    /// Fifths between the two on the wheel, 0…6, whatever their rings.
    public func steps(to other: CamelotKey) -> Int {
        let distance = abs(number - other.number)
        return min(distance, 12 - distance)
    }
}
