internal import AudioFrames

/// Finds the frames of a stream: from header to header, since a frame does not state its length.
///
/// A frame ends where another header follows and the checksum over all its bytes is right. Where the checksum is wrong, the
/// frame is damaged, and ends at the next header that continues its number, or that is itself followed by its continuation.
/// Time is linear in the number of bytes: every byte is searched and summed once, and a look ahead ends at the next header.
struct FLACFrameScanner {
    /// Interval in bytes at which progress is reported to the caller.
    private static let reportInterval = 1 << 22

    /// A header and its position.
    private struct Place {
        let position: Int
        let header: FLACFrameHeader
    }

    private(set) var index: FLACFrameIndex?
    private(set) var format: FLACFormat?
    private(set) var diagnostics = FLACDiagnostics()
    /// End of the last frame.
    private(set) var endByte = 0

    private let info: StreamInfo
    /// Where the trailing tags start.
    private let end: Int
    private var reported = 0

    init(info: StreamInfo, end: Int) {
        self.info = info
        self.end = end
    }

    /// Finds all frames.
    /// - Parameters:
    ///   - start: where the metadata blocks end.
    ///   - earliest: where to search if no frame is there: after STREAMINFO.
    ///   - passed: called every few megabytes with an offset that has been passed.
    mutating func run(_ bytes: RawSpan, from start: Int, earliest: Int, passed: (Int) -> Void) {
        guard var place = first(bytes, from: start, earliest: earliest) else { return }
        reported = place.position
        while true {
            if place.position - reported >= Self.reportInterval {
                reported = place.position
                passed(reported)
            }
            let (extent, next) = extent(of: place, bytes)
            if let extent {
                if index == nil {
                    index = FLACFrameIndex(usualSamples: place.header.blockSize, start: place.position)
                }
                index?.append(
                    place.position..<extent.end, sampleCount: place.header.blockSize,
                    isIntact: extent.isIntact)
                endByte = extent.end
                if !extent.isIntact { diagnostics.damagedFrameCount += 1 }
            }
            guard let next else { break }
            if next.header.number != place.header.successor { diagnostics.jumpCount += 1 }
            if next.position != (extent?.end ?? place.position) {
                diagnostics.skippedBytes += next.position - (extent?.end ?? place.position)
                diagnostics.resyncCount += 1
            }
            place = next
        }
        diagnostics.trailingBytes = max(0, end - max(endByte, start))
    }

    // MARK: - First frame

    private mutating func first(_ bytes: RawSpan, from start: Int, earliest: Int) -> Place? {
        if let header = FLACFrameHeader(bytes, at: start), start < end, takeFormat(header) {
            return Place(position: start, header: header)
        }
        diagnostics.hasWrongMetadataSize = true
        var position = earliest
        while let found = anyHeader(bytes, in: position..<end) {
            if takeFormat(found.header), isFollowedBySuccessor(found, bytes) { return found }
            position = found.position + 1
        }
        format = nil
        return nil
    }

    private mutating func takeFormat(_ header: FLACFrameHeader) -> Bool {
        format = FLACFormat(header, info)
        return format != nil
    }

    // MARK: - Frame by frame

    /// Returns the end of a frame, or nil if it is incomplete or unknown; and the next frame.
    private mutating func extent(
        of place: Place, _ bytes: RawSpan
    ) -> (extent: (end: Int, isIntact: Bool)?, next: Place?) {
        let limit = limit(after: place)
        var crc = CRC16()
        var summed = place.position
        // Each channel has at least a byte, and a checksum follows.
        var position = place.position + place.header.byteCount + place.header.channelCount + 2
        while position < limit, let next = header(bytes, in: position..<limit) {
            crc.update(bytes, in: summed..<next.position)
            summed = next.position
            if crc.value == 0 { return ((next.position, true), next) }
            if next.header.number == place.header.successor || isFollowedBySuccessor(next, bytes) {
                return ((next.position, false), next)
            }
            position = next.position + 1
        }
        if limit == end {
            crc.update(bytes, in: summed..<end)
            if crc.value == 0, end - place.position > place.header.byteCount + 2 { return ((end, true), nil) }
            diagnostics.truncatedLastFrame = true
            return (nil, nil)
        }
        // Nothing that fits follows within the longest possible frame: search on for a new start. The frame's end is unknown.
        position = limit
        while let next = header(bytes, in: position..<end) {
            if isFollowedBySuccessor(next, bytes) { return ((limit, false), next) }
            position = next.position + 1
        }
        return (nil, nil)
    }

    private func limit(after place: Place) -> Int {
        // The next header must be visible, too.
        let longest = (format?.longestFrame(blockSize: place.header.blockSize) ?? 0) + FLACFrameHeader.longest
        return min(end, place.position + longest)
    }

    /// Whether the next header after a place, of whatever format, continues it.
    private func isFollowedBySuccessor(_ place: Place, _ bytes: RawSpan) -> Bool {
        let limit = limit(after: place)
        let position = place.position + place.header.byteCount + place.header.channelCount + 2
        guard position < limit, let next = anyHeader(bytes, in: position..<limit) else { return false }
        return next.header.number == place.header.successor && FLACFormat(next.header, info) == format
    }

    /// Returns the first header of the stream's format in a range.
    private func header(_ bytes: RawSpan, in range: Range<Int>) -> Place? {
        var position = range.lowerBound
        while position < range.upperBound, let found = anyHeader(bytes, in: position..<range.upperBound) {
            if FLACFormat(found.header, info) == format { return found }
            position = found.position + 1
        }
        return nil
    }

    private func anyHeader(_ bytes: RawSpan, in range: Range<Int>) -> Place? {
        var position = range.lowerBound
        while position < range.upperBound, let found = bytes.firstFF(in: position..<range.upperBound) {
            if let header = FLACFrameHeader(bytes, at: found) {
                return Place(position: found, header: header)
            }
            position = found + 1
        }
        return nil
    }
}
