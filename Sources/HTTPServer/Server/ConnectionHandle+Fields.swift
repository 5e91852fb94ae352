internal import CMicroHTTPD
internal import Glibc

extension ConnectionHandle {
    /// Returns the first value of a header field, without copying all fields.
    func headerValue(_ name: StaticString) -> String? {
        name.withUTF8Buffer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { chars in
                MHD_lookup_connection_value(pointer, MHD_ValueKind.HEADER_KIND, chars.baseAddress).map {
                    String(cString: $0)
                }
            }
        }
    }

    /// Returns whether the socket's buffer has space for the given number of bytes and a header.
    func canSendAtOnce(_ byteCount: Int) -> Bool {
        let descriptor = cmhd_socket(pointer)
        var (room, waiting): (Int32, Int32) = (0, 0)
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, &size) == 0,
            ioctl(descriptor, UInt(TIOCOUTQ), &waiting) == 0
        else { return false }
        // The kernel also counts its own structures: at most the same amount again, and a page or two per packet.
        return Int(room) >= 2 * (Int(waiting) + byteCount) + 65_536
    }

    /// Returns all header fields of the request, with lowercase names.
    func requestFields() -> HTTPFields {
        var fields = HTTPFields()
        let count = MHD_get_connection_values(pointer, MHD_ValueKind.HEADER_KIND, nil, nil)
        fields.reserveCapacity(Int(count))
        forEachField { name, value in
            let lowercase = String(unsafeUninitializedCapacity: name.count) { buffer in
                for index in name.indices {
                    let byte = name[index]
                    // The library has checked the syntax of the name; non-ASCII bytes would produce ill-formed text.
                    buffer[index] =
                        (65...90).contains(byte) ? byte | 0x20 : byte < 0x80 ? byte : UInt8(ascii: "?")
                }
                return name.count
            }
            fields.append(
                HTTPField(HTTPFieldName(lowercaseToken: lowercase), String(decoding: value, as: UTF8.self)))
            return true
        }
        return fields
    }

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
