/// Writes the boxes of an ISO base media file (ISO/IEC 14496-12 §4.2): numbers are big-endian, and each box states its size.
struct BoxWriter {
    private(set) var bytes: [UInt8] = []

    /// Appends the lowest bytes of a number.
    mutating func put(_ number: Int, byteCount: Int) {
        for shift in stride(from: 8 * (byteCount - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Appends zeros.
    mutating func putZeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }

    /// Appends bytes.
    mutating func put(_ content: some Sequence<UInt8>) { bytes += content }

    /// Appends a four-character code.
    mutating func put(code: StaticString) {
        precondition(code.utf8CodeUnitCount == 4, "a code has four characters")
        code.withUTF8Buffer { bytes += $0 }
    }

    /// Appends a box, whose contents the closure writes.
    mutating func box(_ type: StaticString, _ body: (inout BoxWriter) -> Void) {
        let start = bytes.count
        putZeros(4)
        put(code: type)
        body(&self)
        replace(bytes.count - start, at: start)
    }

    /// Appends a box with version and flags.
    mutating func fullBox(
        _ type: StaticString, version: Int = 0, flags: Int = 0, _ body: (inout BoxWriter) -> Void
    ) {
        box(type) { writer in
            writer.put(version, byteCount: 1)
            writer.put(flags, byteCount: 3)
            body(&writer)
        }
    }

    /// Replaces four bytes by a number that was not known when they were written.
    mutating func replace(_ number: Int, at offset: Int) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index)) }
    }
}
