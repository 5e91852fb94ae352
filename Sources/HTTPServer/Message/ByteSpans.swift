internal import Glibc

// Text is parsed by its UTF-8 bytes, which is several times faster than by characters.

extension Span<UInt8> {
    /// Whether both spans hold the same bytes.
    func isSame(as other: borrowing Span<UInt8>) -> Bool { count == other.count && starts(with: other) }

    /// Whether the span begins with the bytes of another.
    func starts(with other: borrowing Span<UInt8>) -> Bool {
        guard other.count <= count else { return false }
        for index in other.indices where self[index] != other[index] { return false }
        return true
    }

    /// Whether all bytes satisfy a condition.
    func allSatisfy(_ condition: (UInt8) -> Bool) -> Bool {
        for index in indices where !condition(self[index]) { return false }
        return true
    }

    /// Returns the position of the first occurrence of a byte in a range, or the range's end.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int {
        extracting(range).withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, let found = memchr(base, Int32(byte), buffer.count) else {
                return range.upperBound
            }
            return range.lowerBound + (UnsafeRawPointer(found) - base)
        }
    }
}

extension String {
    /// Creates a text from UTF-8; ill-formed bytes become U+FFFD.
    init(copying bytes: borrowing Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
