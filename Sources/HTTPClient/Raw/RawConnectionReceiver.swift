/// Who hears from a ``RawConnection``. Called on its thread, one call at a time: no call may block for long.
public protocol RawConnectionReceiver: AnyObject, Sendable {
    /// The other end can be reached. Comes first, and once.
    func connectionOpened()
    /// The other end sent bytes.
    func connectionReceived(_ bytes: [UInt8])
    /// It is over. Comes last, and once.
    /// - Parameter error: why; nil where either end closed it.
    func connectionEnded(_ error: HTTPClientError?)
}
