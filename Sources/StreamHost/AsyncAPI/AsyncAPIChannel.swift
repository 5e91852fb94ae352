/// Describes a WebSocket of the host and its messages in both directions.
struct AsyncAPIChannel: Sendable {
    /// The side that sends a message.
    enum Sender: Sendable {
        case client, host
    }

    /// A message type.
    struct Message: Sendable {
        /// Unique name in the description.
        let name: String
        let sender: Sender
        let summary: String
        let payload: JSONSchema
    }

    /// Name in the description.
    let name: String
    /// The route's pattern.
    let path: String
    let title: String
    let details: String
    /// The query parameters of the URL, as an object schema; nil without parameters.
    var query: JSONSchema?
    let messages: [Message]

    /// Returns the messages that one side sends; may be empty.
    func messages(from sender: Sender) -> [Message] { messages.filter { $0.sender == sender } }
}
