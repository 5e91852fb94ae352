/// Outcomes of actions: the response to `POST /listening/actions`.
public struct ListeningResults: Codable, Sendable, Equatable {
    /// Outcome of one action.
    public enum Outcome: String, Codable, Sendable, Equatable, CaseIterable {
        /// Applied.
        case applied
        /// Applied earlier.
        case duplicate
        /// Superseded by a later action.
        case outdated
        /// Rejected; retrying will not help.
        case refused
    }

    /// Outcome of one action, with the error of a rejection.
    public struct Result: Codable, Sendable, Equatable {
        /// Outcome.
        public var status: Outcome
        /// The client's ID of the action.
        public var actionID: String?
        /// Why it was rejected.
        public var error: Refusal?

        /// Memberwise initializer.
        public init(_ status: Outcome, actionID: String? = nil, error: Refusal? = nil) {
            self.status = status
            self.actionID = actionID
            self.error = error
        }

        private enum CodingKeys: String, CodingKey {
            case status
            case actionID = "action_id"
            case error
        }
    }

    /// Why an action was rejected.
    public struct Refusal: Codable, Sendable, Equatable, Error {
        /// Stable error code.
        public var code: String
        /// Human-readable reason.
        public var message: String
        /// The field that caused the error, if any.
        public var field: String?

        /// Memberwise initializer.
        public init(_ code: String, _ message: String, field: String? = nil) {
            self.code = code
            self.message = message
            self.field = field
        }
    }

    /// One result per action, in order.
    public var results: [Result]

    /// Memberwise initializer.
    public init(results: [Result]) { self.results = results }
}
