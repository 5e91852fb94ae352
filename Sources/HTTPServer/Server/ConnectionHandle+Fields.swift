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
        forEachField { name, value in
            let lowercase = String(unsafeUninitializedCapacity: name.count) { buffer in
                for index in name.indices {
                    let byte = name[index]
                    // The library has checked the name's syntax; bytes beyond ASCII would make ill-formed text.
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

    /// Goes through the names and values of the header fields as they were sent, until `body` says no.
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
