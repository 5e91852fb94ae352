internal import CMicroHTTPD

extension ConnectionHandle {
    /// The first value of a header field, without building all fields.
    func headerValue(_ name: StaticString) -> String? {
        name.withUTF8Buffer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { chars in
                MHD_lookup_connection_value(pointer, MHD_ValueKind.HEADER_KIND, chars.baseAddress).map {
                    String(cString: $0)
                }
            }
        }
    }

    /// All header fields of the request, names in lower case.
    func requestFields() -> HTTPFields {
        var fields = HTTPFields()
        let count = MHD_get_connection_values(pointer, MHD_ValueKind.HEADER_KIND, nil, nil)
        fields.reserveCapacity(Int(count))
        withUnsafeMutablePointer(to: &fields) { context in
            _ = MHD_get_connection_values_n(pointer, .HEADER_KIND, collectField, context)
        }
        return fields
    }
}

/// Adds one field to the `HTTPFields` that `context` points to; they outlive the call.
private func collectField(
    _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ nameByteCount: Int, _ value: UnsafePointer<CChar>?, _ valueByteCount: Int
) -> MHD_Result {
    guard let context, let name else { return MHD_Result.NO }
    let fields = context.assumingMemoryBound(to: HTTPFields.self)
    let bytes = UnsafeRawBufferPointer(start: name, count: nameByteCount)
    let lowercase = String(unsafeUninitializedCapacity: bytes.count) { buffer in
        for index in bytes.indices {
            let byte = bytes[index]
            // The library has checked the name's syntax; bytes beyond ASCII would make ill-formed text.
            buffer[index] = (65...90).contains(byte) ? byte | 0x20 : byte < 0x80 ? byte : UInt8(ascii: "?")
        }
        return bytes.count
    }
    fields.pointee.append(
        HTTPField(
            HTTPFieldName(lowercaseToken: lowercase),
            String(decoding: UnsafeRawBufferPointer(start: value, count: valueByteCount), as: UTF8.self)))
    return MHD_Result.YES
}
