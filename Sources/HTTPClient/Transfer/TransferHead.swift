/// The head of an answer: status and header fields.
public struct TransferHead: Sendable {
    /// The status code.
    public let status: Int
    /// Header fields in their order; names as the server spelt them.
    public let fields: [(name: String, value: String)]
    /// The address that answered: differs from the requested one after redirections.
    public let address: String
}
