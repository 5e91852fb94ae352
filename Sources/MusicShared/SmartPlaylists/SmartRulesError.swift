/// Rules of a smart playlist that are not valid.
public struct SmartRulesError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The place in the JSON: `all[1].gt.bpm`.
    public let place: String
    /// A readable explanation.
    public let message: String

    /// Creates an error.
    public init(_ place: String, _ message: String) {
        self.place = place
        self.message = message
    }

    /// The place and the message.
    public var description: String { "\(place): \(message)" }
}
