internal import AudioFrames
internal import HTTPServer

/// A track as one fragmented MP4 file, made while it is sent: the initialization segment, then each segment's frames in fragments.
///
/// The last frames of a segment, which the decoder of the next one needs, are a fragment of their own, so that a player can fetch
/// a segment with its pre-roll as one range.
struct FragmentedFile: Sendable {
    /// A fragment.
    private struct Piece: Sendable {
        /// Its frames.
        let frames: Range<Int>
        /// Time of its first frame, in samples.
        let startSample: Int
        /// Its bytes in this file.
        let range: Range<Int>
    }

    /// The place of a segment in the file.
    struct Place: Sendable {
        /// Its fragments.
        let range: Range<Int>
        /// The frames before it that its decoder needs.
        let prerollFrames: Int
        /// Where the fragment with these frames begins.
        let prerollOffset: Int
    }

    private let frames: FragmentedFrames
    private let head: [UInt8]
    private let pieces: [Piece]
    /// The places of the segments.
    let places: [Place]
    /// Size of the file in bytes.
    let byteCount: Int

    /// Lays out the file.
    init(_ frames: FragmentedFrames) {
        self.frames = frames
        head = frames.initializationSegment(isWhole: true)
        var pieces: [Piece] = []
        var places: [Place] = []
        var end = head.count
        func append(_ part: Range<Int>) {
            guard !part.isEmpty else { return }
            let number = pieces.count + 1
            let start = frames.index.place(ofFrame: part.lowerBound).startSample
            let header = frames.fragmentHeader(of: part, number: number, startSample: start).count
            let size = frames.index.sizes(ofFrames: part).reduce(header) { $0 + $1.byteCount }
            pieces.append(Piece(frames: part, startSample: start, range: end..<end + size))
            end += size
        }
        for segment in frames.plan.segments {
            let before = pieces.last
            let start = end
            let isLast = segment.index == frames.plan.segments.count - 1
            let tail = isLast ? 0 : min(frames.prerollFrames, segment.frames.count)
            append(segment.frames.lowerBound..<segment.frames.upperBound - tail)
            append(segment.frames.upperBound - tail..<segment.frames.upperBound)
            let preroll = frames.prerollFrames > 0 ? before : nil
            places.append(
                Place(
                    range: start..<end, prerollFrames: preroll?.frames.count ?? 0,
                    prerollOffset: preroll?.range.lowerBound ?? start))
        }
        self.pieces = pieces
        self.places = places
        byteCount = end
    }

    /// Writes a range of the file.
    /// - Parameter file: the track's file.
    /// - Throws: if the file has changed, or the client has disconnected.
    func write(_ range: Range<Int>, of file: HTTPFile, to writer: ResponseWriter) async throws {
        if range.lowerBound < head.count {
            try await writer.write(Array(head[range.clamped(to: 0..<head.count)]))
        }
        for (number, piece) in pieces.enumerated() where piece.range.overlaps(range) {
            var bytes = frames.fragmentHeader(
                of: piece.frames, number: number + 1, startSample: piece.startSample)
            for part in frames.byteRanges(ofFrames: piece.frames) { try file.append(part, to: &bytes) }
            let wanted = range.clamped(to: piece.range)
            let start = piece.range.lowerBound
            try await writer.write(
                wanted == piece.range
                    ? bytes : Array(bytes[wanted.lowerBound - start..<wanted.upperBound - start]))
        }
    }
}
