/// What a server says before the content.
public struct TransferHead: Sendable {
    /// The status code.
    public let status: Int
    /// Names, as the server spelt them, and values of header fields, in their order.
    public let fields: [(name: String, value: String)]
    /// The address that answered: another than was asked for, where redirections were followed.
    public let address: String
}
