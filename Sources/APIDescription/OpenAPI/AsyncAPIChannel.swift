/// Describes a WebSocket of the host and its messages in both directions.
package struct AsyncAPIChannel: Sendable {
    /// The side that sends a message.
    package enum Sender: Sendable {
        case client, host
    }

    /// A message type.
    package struct Message: Sendable {
        /// Unique name in the description.
        package let name: String
        package let sender: Sender
        package let summary: String
        package let payload: JSONSchema

        /// Memberwise initializer.
        package init(name: String, sender: Sender, summary: String, payload: JSONSchema) {
            self.name = name
            self.sender = sender
            self.summary = summary
            self.payload = payload
        }
    }

    /// Name in the description.
    package let name: String
    /// The route's pattern.
    package let path: String
    package let title: String
    package let details: String
    /// The query parameters of the URL, as an object schema; nil without parameters.
    package var query: JSONSchema?
    package let messages: [Message]

    /// Memberwise initializer.
    package init(
        name: String, path: String, title: String, details: String, query: JSONSchema? = nil,
        messages: [Message]
    ) {
        self.name = name
        self.path = path
        self.title = title
        self.details = details
        self.query = query
        self.messages = messages
    }

    /// Returns the messages that one side sends; may be empty.
    package func messages(from sender: Sender) -> [Message] { messages.filter { $0.sender == sender } }
}
