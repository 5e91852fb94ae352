/// Extracts AAC frames from an Audio Data Transport Stream that arrives in pieces.
///
/// It accepts a stream once three consecutive headers agree, skips what lies between frames, and needs memory for only a few frames.
public struct ADTSFeed: Sendable {
    /// A complete frame.
    public struct Frame: Sendable, Equatable {
        /// The frame's header.
        public let header: ADTSHeader
        /// All bytes of the frame, with the header.
        public let bytes: [UInt8]
    }

    /// Number of headers that must agree before the first frame is accepted.
    private static let wantedHeaders = 3
    /// Number of consumed bytes to keep before the buffer is trimmed.
    private static let slack = 1 << 14

    /// Number of bytes that belong to no frame.
    public private(set) var skippedBytes = 0
    /// Number of frames so far.
    public private(set) var frameCount = 0

    private var buffer: [UInt8] = []
    private var position = 0
    /// The header that the next frame must agree with; nil while searching.
    private var current: ADTSHeader?

    /// Creates a feed.
    public init() {}

    /// Appends the next bytes.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        if position > Self.slack {
            buffer.removeFirst(position)
            position = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next frame; nil if more bytes are needed.
    public mutating func next() -> Frame? {
        while buffer.count - position >= ADTSHeader.minimumLength {
            if let current {
                guard let header = ADTSHeader(buffer, at: position), header.agrees(with: current) else {
                    self.current = nil
                    continue
                }
                guard buffer.count - position >= header.frameLength else { return nil }
                let bytes = Array(buffer[position..<position + header.frameLength])
                position += header.frameLength
                frameCount += 1
                return Frame(header: header, bytes: bytes)
            }
            guard let found = ADTSHeader(buffer, at: position) else {
                skip()
                continue
            }
            switch chain(from: found) {
            case true?: current = found
            case false?: skip()
            case nil: return nil
            }
        }
        return nil
    }

    private mutating func skip() {
        // To the next byte that a header can start with.
        let next = buffer[(position + 1)...].firstIndex(of: 0xFF) ?? buffer.count
        skippedBytes += next - position
        position = next
    }

    /// Whether enough headers follow each other; nil if more bytes are needed to tell.
    private func chain(from first: ADTSHeader) -> Bool? {
        var place = position
        for _ in 0..<Self.wantedHeaders {
            guard buffer.count - place >= ADTSHeader.minimumLength else { return nil }
            guard let header = ADTSHeader(buffer, at: place), header.agrees(with: first) else { return false }
            place += header.frameLength
        }
        return true
    }
}
