internal import Glibc

/// The header fields of a request as they were sent, for telling whether another has the same.
///
/// A connection compares a request only with the header of one that was answered on it before: whoever has not shown a right
/// key there cannot measure how much of a wrong one is right.
final class RequestHeader: Sendable {
    /// All names and values one after the other, and how long each is.
    private let bytes: [UInt8]
    private let lengths: [Int]

    /// Takes the fields of the request that a connection has just received.
    init(_ handle: ConnectionHandle) {
        var bytes: [UInt8] = []
        var lengths: [Int] = []
        handle.forEachField { name, value in
            for text in [name, value] {
                bytes += text
                lengths.append(text.count)
            }
            return true
        }
        self.bytes = bytes
        self.lengths = lengths
    }

    /// Whether a connection's request has the same fields in the same order.
    func isSame(as handle: ConnectionHandle) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var (index, offset) = (0, 0)
            func takes(_ text: UnsafeRawBufferPointer) -> Bool {
                guard index < lengths.count, lengths[index] == text.count else { return false }
                if let known = bytes.baseAddress, let start = text.baseAddress,
                    memcmp(known + offset, start, text.count) != 0
                {
                    return false
                }
                index += 1
                offset += text.count
                return true
            }
            var isSame = true
            handle.forEachField { name, value in
                isSame = takes(name) && takes(value)
                return isSame
            }
            return isSame && index == lengths.count
        }
    }
}

extension RequestHeader: Hashable {
    static func == (one: RequestHeader, other: RequestHeader) -> Bool {
        one.lengths == other.lengths && one.bytes == other.bytes
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
