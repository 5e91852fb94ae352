/// Receives the events of a ``RawConnection``. Called on its thread, one call at a time: no call may block for long.
package protocol RawConnectionReceiver: AnyObject, Sendable {
    /// The connection is open. Called first, and once.
    func connectionOpened()
    /// The other end sent bytes.
    func connectionReceived(_ bytes: [UInt8])
    /// The connection has ended. Called last, and once.
    /// - Parameter error: the reason; nil if either end closed it.
    func connectionEnded(_ error: HTTPClientError?)
}
