/// Who gets the answer of a transfer. Called on the loop's thread, one call at a time: no call may block.
public protocol TransferReceiver: AnyObject, Sendable {
    /// The answer's head. Comes first, and once.
    func transferBegan(_ head: TransferHead)
    /// A piece of the content.
    /// - Returns: whether it was taken. If not, nothing more comes until ``TransferLoop/resume(_:)``, then the same piece
    ///   again.
    func transferReceived(_ bytes: UnsafeRawBufferPointer) -> Bool
    /// It is over. Comes last, and once.
    /// - Parameter error: why the content is not complete; nil where it is.
    func transferEnded(_ error: HTTPClientError?)
}
