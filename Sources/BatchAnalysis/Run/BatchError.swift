/// The reason why a step of a batch analysis cannot be carried out.
package struct BatchError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String
        /// Creates a code from its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The source of the tracks cannot be used.
        package static let source = Code(rawValue: "source")
        /// The folder of the run cannot be used.
        package static let run = Code(rawValue: "run")
        /// The plan is missing, is of another version, or does not contain the part.
        package static let plan = Code(rawValue: "plan")
        /// The caller cancelled the step.
        package static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of failure.
    package let code: Code
    /// A readable explanation.
    package let message: String
    /// The file, folder or address that the error is about, if any.
    package let place: String?

    /// Creates an error.
    package init(_ code: Code, _ message: String, place: String? = nil) {
        self.code = code
        self.message = message
        self.place = place
    }

    /// The place and the message.
    package var description: String { place.map { "\($0): \(message)" } ?? message }
}
