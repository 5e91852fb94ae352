/// Receives the answer of a transfer. Called on the loop's thread, one call at a time: no call may block.
package protocol TransferReceiver: AnyObject, Sendable {
    /// The answer's head. Called first, and once.
    func transferBegan(_ head: TransferHead)
    /// A piece of the content.
    /// - Returns: whether it was accepted. If not, the transfer pauses until ``TransferLoop/resume(_:)`` and then delivers the
    ///   same piece again.
    func transferReceived(_ bytes: UnsafeRawBufferPointer) -> Bool
    /// The transfer has ended. Called last, and once.
    /// - Parameter error: the reason why the content is incomplete; nil if it is complete.
    func transferEnded(_ error: HTTPClientError?)
}
