internal import CMicroHTTPD
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
        var collected = Collected()
        withUnsafeMutablePointer(to: &collected) {
            _ = MHD_get_connection_values_n(handle.pointer, .HEADER_KIND, collect, $0)
        }
        bytes = collected.bytes
        lengths = collected.lengths
    }

    /// Whether a connection's request has the same fields in the same order.
    func isSame(as handle: ConnectionHandle) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            lengths.withUnsafeBufferPointer { lengths in
                var comparison = Comparison(bytes: bytes, lengths: lengths)
                withUnsafeMutablePointer(to: &comparison) {
                    _ = MHD_get_connection_values_n(handle.pointer, .HEADER_KIND, compare, $0)
                }
                return comparison.isSame && comparison.index == lengths.count
            }
        }
    }
}

extension RequestHeader: Hashable {
    static func == (one: RequestHeader, other: RequestHeader) -> Bool {
        one.lengths == other.lengths && one.bytes == other.bytes
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

private struct Collected {
    var bytes: [UInt8] = []
    var lengths: [Int] = []

    mutating func add(_ text: UnsafePointer<CChar>?, _ count: Int) {
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: text, count: count))
        lengths.append(count)
    }
}

private struct Comparison {
    let bytes: UnsafeBufferPointer<UInt8>
    let lengths: UnsafeBufferPointer<Int>
    var isSame = true
    /// The next length, and the first byte that it counts.
    var index = 0
    private var offset = 0

    init(bytes: UnsafeBufferPointer<UInt8>, lengths: UnsafeBufferPointer<Int>) {
        self.bytes = bytes
        self.lengths = lengths
    }

    mutating func take(_ text: UnsafePointer<CChar>?, _ count: Int) {
        guard isSame, index < lengths.count, lengths[index] == count else {
            isSame = false
            return
        }
        if count > 0, let text, let known = bytes.baseAddress, memcmp(known + offset, text, count) != 0 {
            isSame = false
        }
        index += 1
        offset += count
    }
}

private func collect(
    _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ nameByteCount: Int, _ value: UnsafePointer<CChar>?, _ valueByteCount: Int
) -> MHD_Result {
    guard let collected = context?.assumingMemoryBound(to: Collected.self) else { return MHD_Result.NO }
    collected.pointee.add(name, nameByteCount)
    collected.pointee.add(value, valueByteCount)
    return MHD_Result.YES
}

private func compare(
    _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ nameByteCount: Int, _ value: UnsafePointer<CChar>?, _ valueByteCount: Int
) -> MHD_Result {
    guard let comparison = context?.assumingMemoryBound(to: Comparison.self) else { return MHD_Result.NO }
    comparison.pointee.take(name, nameByteCount)
    comparison.pointee.take(value, valueByteCount)
    return comparison.pointee.isSame ? MHD_Result.YES : MHD_Result.NO
}
