internal import Synchronization

/// The identifier of a request in the log: sixteen hexadecimal digits.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// The numeric value.
    package let rawValue: UInt64

    /// Creates an identifier from a number.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    private static let start = UInt64.random(in: .min ... .max)
    private static let count = Atomic<UInt64>(0)

    /// Returns the next identifier of this process. They start at random and increase by an odd constant, so that they are
    /// unique and consecutive ones do not look alike; they are not secret.
    package static func next() -> RequestID {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        return RequestID(rawValue: start &+ number &* 0x9E37_79B9_7F4A_7C15)
    }

    /// Sixteen hexadecimal digits.
    package var description: String {
        String(unsafeUninitializedCapacity: 16) { buffer in
            for index in 0..<16 { buffer[index] = digit(index) }
            return 16
        }
    }

    /// Calls `body` with the digits as a C string.
    func withCString(_ body: (UnsafePointer<CChar>) -> Void) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 17) { buffer in
            for index in 0..<16 { buffer[index] = CChar(bitPattern: digit(index)) }
            buffer[16] = 0
            if let start = buffer.baseAddress { body(start) }
        }
    }

    /// Returns one of the sixteen digits, from the highest on.
    private func digit(_ index: Int) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: rawValue >> UInt64(60 - 4 * index)) & 15
        return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
}
