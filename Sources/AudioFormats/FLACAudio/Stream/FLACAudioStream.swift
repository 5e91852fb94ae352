public import AudioFrames
internal import MPEGAudio

/// The stream of a FLAC file: the location of its frames, its exact length, and irregularities.
///
/// Created by one pass over the bytes; nothing is decoded. The length and the format are those of the frames, never the claims
/// of STREAMINFO.
public struct FLACAudioStream: Sendable, Hashable {
    /// The claims of the STREAMINFO block.
    public let info: StreamInfo
    /// The format of all frames; frames of another format are skipped.
    public let format: FLACFormat
    /// The frames.
    public let index: FLACFrameIndex
    /// From the start of the first frame to the end of the last complete one. Metadata and tags lie outside, so a hash of these
    /// bytes identifies the audio.
    public let payload: Range<Int>
    /// Irregularities of the file.
    public let diagnostics: FLACDiagnostics

    /// Exact number of samples per channel.
    public var sampleCount: Int { index.sampleCount }
    /// Exact duration in seconds.
    public var durationSeconds: Double { Double(sampleCount) / Double(format.sampleRate) }
    /// Average bit rate in bits per second: the size of all frames over their duration.
    public var averageBitRate: Int {
        sampleCount > 0 ? Int(Double(index.byteCount) * 8 / durationSeconds + 0.5) : 0
    }

    /// Whether the bytes are a FLAC file, perhaps with ID3v2 tags in front.
    public static func isFLAC(_ bytes: RawSpan) -> Bool { marker(in: bytes) != nil }

    /// Scans the stream in `bytes`, which must be a complete file.
    ///
    /// Time is linear in the number of bytes, memory in the number of frames.
    /// - Parameter passed: called every few megabytes with an offset that has been passed, so that memory of a mapped file can be
    ///   released; bytes before it may be read once more.
    /// - Throws: `otherFileType`, `noStreamInfo`, and `noAudio`, also if most frames are damaged. A truncated end, other damage and
    ///   wrong sizes are *not* errors.
    public static func scan(
        _ bytes: RawSpan, passed: (Int) -> Void = { _ in }
    ) throws(AudioFormatError) -> FLACAudioStream {
        guard let marker = marker(in: bytes) else {
            throw AudioFormatError(.otherFileType, "this is not a FLAC file")
        }
        // STREAMINFO is the first block, and has one size.
        let block = marker + 4
        guard block + 4 <= bytes.byteCount, bytes.octet(block) & 0x7F == 0,
            bytes.number(at: block + 1, byteCount: 3) == StreamInfo.byteCount,
            let info = StreamInfo(bytes, at: block + 4)
        else {
            throw AudioFormatError(.noStreamInfo, "the FLAC file has no valid STREAMINFO block")
        }
        let earliest = block + 4 + StreamInfo.byteCount
        let start = endOfMetadata(bytes, from: block)
        let trailing = TrailingTags.find(bytes, floor: earliest)
        var scanner = FLACFrameScanner(info: info, end: trailing.end)
        scanner.run(bytes, from: start, earliest: earliest, passed: passed)
        guard let index = scanner.index, let format = scanner.format else {
            throw AudioFormatError(.noAudio, "the FLAC file contains no frames of audio")
        }
        var diagnostics = scanner.diagnostics
        // A few bytes can claim a minute of silence, so a file of wrong frames is no music.
        guard diagnostics.damagedFrameCount * 2 <= index.count else {
            throw AudioFormatError(
                .noAudio, "\(diagnostics.damagedFrameCount) of \(index.count) FLAC frames are damaged")
        }
        diagnostics.hasLeadingID3v2 = marker > 0
        return FLACAudioStream(
            info: info, format: format, index: index, payload: index[0].range.lowerBound..<scanner.endByte,
            diagnostics: diagnostics)
    }

    /// Finds the frames in a range of a file that has been scanned before.
    /// - Parameters:
    ///   - range: from the start of a frame to the end of one.
    ///   - info: the file's STREAMINFO block.
    /// - Returns: nil if the range contains no frames.
    package static func frames(of bytes: RawSpan, in range: Range<Int>, info: StreamInfo) -> FLACFrameIndex? {
        guard range.lowerBound >= 0, range.upperBound <= bytes.byteCount else { return nil }
        var scanner = FLACFrameScanner(info: info, end: range.upperBound)
        scanner.run(bytes, from: range.lowerBound, earliest: range.lowerBound) { _ in }
        return scanner.index
    }

    /// Returns the offset of "fLaC": at the start, or after ID3v2 tags, even if the size of the last one is wrong.
    static func marker(in bytes: RawSpan) -> Int? {
        var position = 0
        // Each round passes a tag of at least ten bytes; more than a few tags are no music file.
        for _ in 0..<16 {
            if holdsMarker(bytes, at: position) { return position }
            guard let tag = ID3v2Extent(bytes, at: position) else { return nil }
            if tag.claimedEnd > bytes.byteCount || !holdsMarkerOrTag(bytes, at: tag.claimedEnd) {
                let framesEnd = tag.endOfFrames(bytes, limit: bytes.byteCount)
                let next = firstNonZero(bytes, from: framesEnd)
                return holdsMarker(bytes, at: next) ? next : nil
            }
            position = tag.claimedEnd
        }
        return nil
    }

    private static func holdsMarkerOrTag(_ bytes: RawSpan, at offset: Int) -> Bool {
        holdsMarker(bytes, at: offset) || ID3v2Extent(bytes, at: offset) != nil
    }

    private static func holdsMarker(_ bytes: RawSpan, at offset: Int) -> Bool {
        offset <= bytes.byteCount - 4 && bytes.number(at: offset, byteCount: 4) == 0x664C_6143
    }

    private static func firstNonZero(_ bytes: RawSpan, from start: Int) -> Int {
        var position = start
        while position < bytes.byteCount, bytes.octet(position) == 0 { position += 1 }
        return position
    }

    /// Follows the metadata blocks; ends early where a size leads out of the file or the type is invalid.
    private static func endOfMetadata(_ bytes: RawSpan, from start: Int) -> Int {
        var position = start
        while position + 4 <= bytes.byteCount {
            let type = bytes.octet(position)
            let size = bytes.number(at: position + 1, byteCount: 3)
            guard type & 0x7F != 0x7F, size <= bytes.byteCount - position - 4 else { return position }
            position += 4 + size
            if type & 0x80 != 0 { return position }
        }
        return position
    }
}
