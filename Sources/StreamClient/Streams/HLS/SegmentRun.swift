internal import MusicShared

/// Reads one segment. After a failure, reading resumes where it stopped.
final class SegmentRun {
    private let segment: HLSMediaPlaylist.Segment
    private let source: HLSSource
    private let resource: HTTPResource
    private var run = OpenRun()
    private var received = 0
    private var total: Int?
    /// The bytes of an encrypted segment received so far; it is decrypted as a whole.
    private var encrypted: [UInt8] = []
    private var isOver = false

    private static let largestEncrypted = 64 << 20

    init(_ segment: HLSMediaPlaylist.Segment, _ source: HLSSource) {
        self.segment = segment
        self.source = source
        resource = source.context.resource(segment.address, source.fields)
        total = segment.byteRange?.count
    }

    func next() async throws(PlaybackError) -> [UInt8]? {
        guard let key = segment.key else { return try await piece() }
        guard !isOver else { return nil }
        while let piece = try await piece() {
            encrypted += piece
            guard encrypted.count <= Self.largestEncrypted else {
                throw PlaybackError(.unsupported, "an encrypted segment is too large")
            }
        }
        let bytes = try await source.key(key.address)
        isOver = true
        return try SegmentCipher.decrypt(
            encrypted, key: bytes,
            vector: key.vector ?? SegmentCipher.vector(sequence: segment.sequence))
    }

    private func piece() async throws(PlaybackError) -> [UInt8]? {
        if let total, received >= total { return nil }
        if run.current == nil {
            let start = segment.byteRange?.lowerBound ?? 0
            let opened = try await resource.open(at: start + received, upTo: segment.byteRange?.upperBound)
            run = OpenRun(opened)
            if segment.byteRange == nil { total = opened.total ?? total }
        }
        guard var piece = try await run.next() else {
            guard let total, received < total else { return nil }
            throw PlaybackError(.connectionLost, "the connection was closed before the end of the segment")
        }
        // A server without range support sends more than requested.
        if let total, received + piece.count > total { piece.removeLast(received + piece.count - total) }
        received += piece.count
        return piece
    }
}
