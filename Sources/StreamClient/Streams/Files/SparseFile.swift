internal import Foundation

/// A file of which only the parts that describe its audio are read; all other bytes are zero and take no memory.
///
/// Scans expect a whole file, but read only headers: with these loaded, they find what they would find in the file.
final class SparseFile {
    /// Bytes that are read at once, since a jump costs a request.
    private static let readAhead = 1 << 16

    private let resource: any ByteResource
    private var reading: ResourceReading
    private let memory: UnsafeMutableRawPointer
    /// Size of the file in bytes.
    let byteCount: Int
    /// The parts that are loaded: apart and in order.
    private var loaded: [Range<Int>] = []

    /// Opens a file and reads its beginning.
    /// - Parameter run: an already open read from the start of the file, if any.
    /// - Throws: `unsupported` if the server does not state the file's size.
    init(_ resource: any ByteResource, opened run: ByteRun?) async throws(PlaybackError) {
        self.resource = resource
        var reading = ResourceReading(resource, opened: run)
        let first = try await reading.next() ?? []
        guard let total = reading.total, total > 0 else {
            throw PlaybackError(.unsupported, "the server does not state the size of the file")
        }
        // Zeros of the system, which take memory only where something is written.
        guard let memory = calloc(total, 1) else {
            throw PlaybackError(.unsupported, "the file is too large: \(total) bytes")
        }
        self.reading = reading
        self.memory = memory
        byteCount = total
        store(first, at: 0)
    }

    deinit { free(memory) }

    /// The bytes of the file, those that are not loaded being zero.
    func withBytes<Result>(_ body: (RawSpan) throws(PlaybackError) -> Result) throws(PlaybackError) -> Result
    {
        try body(UnsafeRawBufferPointer(start: memory, count: byteCount).bytes)
    }

    /// Returns the bytes of a range, which must lie within the file.
    func bytes(in range: Range<Int>) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: memory + range.lowerBound, count: range.count))
    }

    /// Returns a loaded number; nil at the end of the file.
    func number(at offset: Int, byteCount count: Int, isBigEndian: Bool) -> Int? {
        guard offset >= 0, count <= 7, offset <= byteCount - count else { return nil }
        let places = isBigEndian ? Array(offset..<offset + count) : (offset..<offset + count).reversed()
        return places.reduce(0) { $0 << 8 | Int(memory.load(fromByteOffset: $1, as: UInt8.self)) }
    }

    /// Returns four loaded characters.
    func name(at offset: Int) -> String {
        guard offset >= 0, offset <= byteCount - 4 else { return "" }
        return String(
            decoding: (offset..<offset + 4).map { memory.load(fromByteOffset: $0, as: UInt8.self) },
            as: UTF8.self)
    }

    /// Loads a part of the file, as far as the file has it.
    func load(_ range: Range<Int>) async throws(PlaybackError) {
        let wanted = range.clamped(to: 0..<byteCount)
        while let missing = firstMissing(in: wanted) {
            if missing != reading.offset { reading.move(to: missing) }
            var end = reading.offset
            let limit = min(byteCount, max(wanted.upperBound, missing + Self.readAhead))
            while end < limit {
                guard let piece = try await reading.next(), !piece.isEmpty else {
                    throw PlaybackError(.connectionLost, "the file ends early")
                }
                store(piece, at: end)
                end += piece.count
            }
        }
    }

    private func firstMissing(in range: Range<Int>) -> Int? {
        var position = range.lowerBound
        for part in loaded where part.lowerBound <= position { position = max(position, part.upperBound) }
        return position < range.upperBound ? position : nil
    }

    private func store(_ piece: [UInt8], at offset: Int) {
        let count = min(piece.count, byteCount - offset)
        guard count > 0 else { return }
        piece.withUnsafeBytes { bytes in
            memory.advanced(by: offset).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[..<count]).baseAddress
                    ?? UnsafeRawPointer(memory),
                byteCount: count)
        }
        var joined = offset..<offset + count
        loaded.removeAll { part in
            guard
                part.overlaps(joined) || part.upperBound == joined.lowerBound
                    || part.lowerBound == joined.upperBound
            else { return false }
            joined = min(part.lowerBound, joined.lowerBound)..<max(part.upperBound, joined.upperBound)
            return true
        }
        loaded.append(joined)
        loaded.sort { $0.lowerBound < $1.lowerBound }
    }
}
