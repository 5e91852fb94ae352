/// The head of an answer: status and header fields.
package struct TransferHead: Sendable {
    /// The status code.
    package let status: Int
    /// Header fields in their order; names as the server spelt them.
    package let fields: [(name: String, value: String)]
    /// The address that answered: differs from the requested one after redirections.
    package let address: String
}
