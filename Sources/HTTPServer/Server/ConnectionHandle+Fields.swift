internal import CMicroHTTPD
internal import Glibc

extension ConnectionHandle {
    /// Returns whether the socket's buffer has space for the given number of bytes and a header.
    func canSendAtOnce(_ byteCount: Int) -> Bool {
        // The buffer's size and what it holds, including the kernel's own structures.
        var memory = InlineArray<9, UInt32>(repeating: 0)
        var size = socklen_t(MemoryLayout.size(ofValue: memory))
        let code = withUnsafeMutablePointer(to: &memory) {
            getsockopt(cmhd_socket(pointer), SOL_SOCKET, SO_MEMINFO, $0, &size)
        }
        guard code == 0, size > Self.queuedIndex * 4 else { return false }
        // The kernel's structures take at most the same amount again, and a page or two per packet.
        return Int(memory[Self.sizeIndex]) >= Int(memory[Self.queuedIndex]) + 2 * byteCount + 65_536
    }

    /// Positions in the values of `SO_MEMINFO` (`SK_MEMINFO_SNDBUF` and `SK_MEMINFO_WMEM_QUEUED` in linux/sock_diag.h).
    private static let sizeIndex = 3
    private static let queuedIndex = 5

    /// Calls `body` with the name and value of each header field as sent, until it returns false.
    func forEachField(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool) {
        withoutActuallyEscaping(body) { body in
            var visit: FieldVisit = body
            withUnsafeMutablePointer(to: &visit) {
                _ = MHD_get_connection_values_n(pointer, .HEADER_KIND, visitField, $0)
            }
        }
    }
}

private typealias FieldVisit = (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool

/// Calls the `FieldVisit` that `context` points to; it outlives the call.
private func visitField(
    _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ nameByteCount: Int, _ value: UnsafePointer<CChar>?, _ valueByteCount: Int
) -> MHD_Result {
    guard let visit = context?.assumingMemoryBound(to: FieldVisit.self), let name else {
        return MHD_Result.NO
    }
    let goesOn = visit.pointee(
        UnsafeRawBufferPointer(start: name, count: nameByteCount),
        UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueByteCount))
    return goesOn ? MHD_Result.YES : MHD_Result.NO
}
