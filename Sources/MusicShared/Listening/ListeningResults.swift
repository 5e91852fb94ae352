/// What became of actions: the answer to `POST /listening/actions`.
public struct ListeningResults: Codable, Sendable, Equatable {
    /// What became of one action.
    public enum Outcome: String, Codable, Sendable, Equatable, CaseIterable {
        /// It counts.
        case applied
        /// It counted before.
        case duplicate
        /// Something later has been done already, which stays.
        case outdated
        /// It cannot count; sending it again is of no use.
        case refused
    }

    /// What became of one action, and why.
    public struct Result: Codable, Sendable, Equatable {
        /// What became of it.
        public var status: Outcome
        /// The client's name for it.
        public var actionID: String?
        /// Why it was refused.
        public var error: Refusal?

        /// Puts the parts together.
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

    /// Why an action was refused.
    public struct Refusal: Codable, Sendable, Equatable, Error {
        /// The stable name of the reason.
        public var code: String
        /// The reason, for a person to read.
        public var message: String
        /// The field at fault.
        public var field: String?

        /// Puts the parts together.
        public init(_ code: String, _ message: String, field: String? = nil) {
            self.code = code
            self.message = message
            self.field = field
        }
    }

    /// One for each action, in their order.
    public var results: [Result]

    /// Takes the results.
    public init(results: [Result]) { self.results = results }
}
