/// A WebSocket of the host: what goes over it, in both directions.
struct AsyncAPIChannel: Sendable {
    /// Which side sends a message.
    enum Sender: Sendable {
        case client, host
    }

    /// A kind of message.
    struct Message: Sendable {
        /// Name that the description knows it by: that of no other message.
        let name: String
        let sender: Sender
        let summary: String
        let payload: JSONSchema
    }

    /// Name that the description knows it by.
    let name: String
    /// The route's pattern.
    let path: String
    let title: String
    let details: String
    /// What a client may ask for in the address: an object of the query's parameters.
    var query: JSONSchema?
    let messages: [Message]

    /// The operations: what the host takes and what it sends, as far as there is such a thing.
    func messages(from sender: Sender) -> [Message] { messages.filter { $0.sender == sender } }
}
