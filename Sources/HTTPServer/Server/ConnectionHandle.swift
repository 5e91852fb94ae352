internal import CMicroHTTPD

/// The library's handle of a connection.
///
/// @unchecked: the library's own thread uses it freely; other threads only call `resume`, which the library allows from any
/// thread, and only while the connection is suspended and therefore cannot end.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    func suspend() { MHD_suspend_connection(pointer) }

    func resume() { MHD_resume_connection(pointer) }
}
