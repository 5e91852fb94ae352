public import AudioFrames
internal import MPEGAudio

/// The audio of an Ogg file: the location of its packets, its exact length, and irregularities.
///
/// Created by one pass over the bytes; nothing is decoded. Of several streams, it is the first Opus or Vorbis stream. Chained
/// links of the same codec, sample rate and channel count are one stream; others are left out.
public struct OggAudioStream: Sendable, Hashable {
    /// The codec.
    public let codec: OggCodec
    /// Samples per second; 48,000 for Opus.
    public let sampleRate: Int
    /// Number of channels, in the order of Vorbis I §4.3.9.
    public let channelCount: Int
    /// The packets and links.
    public let index: OggPacketIndex
    /// The headers of each link.
    public let headers: [OggHeaders]
    /// From the first page with audio to the end of the last one. The headers of the first link lie before it; those of others,
    /// and pages of other streams, lie within.
    public let payload: Range<Int>
    /// Irregularities of the file.
    public let diagnostics: OggDiagnostics

    /// Exact number of samples per channel.
    public var sampleCount: Int { index.sampleCount }
    /// Exact duration in seconds.
    public var durationSeconds: Double { Double(sampleCount) / Double(sampleRate) }
    /// Average bit rate in bits per second: the size of all packets over their duration.
    public var averageBitRate: Int {
        sampleCount > 0 ? Int(Double(index.packets.byteCount) * 8 / durationSeconds + 0.5) : 0
    }

    /// Whether the bytes are an Ogg file, perhaps with ID3v2 tags in front.
    public static func isOgg(_ bytes: RawSpan) -> Bool { firstPage(in: bytes) != nil }

    /// Scans the stream in `bytes`, which must be a complete file.
    ///
    /// Time is linear in the number of bytes, memory in the number of packets.
    /// - Parameter passed: called every few megabytes with an offset that has been passed, so that memory of a mapped file can be
    ///   released; bytes before it may be read once more.
    /// - Throws: `otherFileType`, `unsupportedCodec`, `noHeaders` and `noAudio`. A truncated end, other damage and missing pages are
    ///   *not* errors.
    public static func scan(
        _ bytes: RawSpan, passed: (Int) -> Void = { _ in }
    ) throws(AudioFormatError) -> OggAudioStream {
        guard let start = firstPage(in: bytes) else {
            throw AudioFormatError(.otherFileType, "this is not an Ogg file")
        }
        var scanner = OggStreamScanner(position: start)
        scanner.run(bytes, passed: passed)
        guard let index = scanner.index, let format = scanner.format, index.sampleCount > 0 else {
            throw scanner.refusal ?? AudioFormatError(.noAudio, "the Ogg file contains no audio")
        }
        var diagnostics = scanner.diagnostics
        diagnostics.hasLeadingID3v2 = start > 0
        return OggAudioStream(
            codec: format.codec, sampleRate: format.sampleRate, channelCount: format.channelCount,
            index: index, headers: scanner.headers, payload: index.packets.start..<scanner.endByte,
            diagnostics: diagnostics)
    }

    /// Returns the offset of the first page: at the start, or after ID3v2 tags.
    private static func firstPage(in bytes: RawSpan) -> Int? {
        var position = 0
        // Each round passes a tag of at least ten bytes; more than a few tags are no music file.
        for _ in 0..<16 {
            if bytes.holds("OggS", at: position) { return position }
            guard let tag = ID3v2Extent(bytes, at: position), tag.claimedEnd < bytes.byteCount else {
                return nil
            }
            position = tag.claimedEnd
        }
        return nil
    }
}
