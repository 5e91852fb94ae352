public import AudioFrames

/// The samples of a WAV (RIFF, RF64, BW64) or AIFF (AIFF, AIFF-C) file: their place, their format and irregularities.
///
/// Nothing but headers is read. Stated sizes are never trusted: samples are those that the file has.
public struct PCMAudioStream: Sendable, Hashable {
    /// The kinds of files.
    public enum Container: Sendable, Hashable {
        /// RIFF, RF64 or BW64 with WAVE content.
        case wav
        /// AIFF or AIFF-C.
        case aiff
    }

    /// The kind of file.
    public let container: Container
    /// The format of the samples.
    public let format: PCMFormat
    /// The bytes of all whole frames. Tags lie outside, so a hash of these bytes identifies the audio.
    public let payload: Range<Int>
    /// Number of samples per channel that the file states; nil if it states none.
    public let statedSampleCount: Int?

    /// Number of samples per channel.
    public var sampleCount: Int { payload.count / format.frameSize }
    /// Duration in seconds.
    public var durationSeconds: Double { Double(sampleCount) / Double(format.sampleRate) }
    /// Whether samples that the file states are missing at its end.
    public var isTruncated: Bool { statedSampleCount.map { $0 > sampleCount } ?? false }

    /// The positions of the frames for storage: a version and the size of each frame in bytes, since all have the same.
    public var encodedIndex: [UInt8] { [1, UInt8(clamping: format.frameSize)] }

    /// Maximum number of channels.
    static let maximumChannels = 8

    /// Returns the kind of a file by its first bytes; nil for any other file.
    public static func container(of bytes: RawSpan) -> Container? {
        switch (bytes.code(at: 0), bytes.code(at: 8)) {
        case ("RIFF", "WAVE"), ("RF64", "WAVE"), ("BW64", "WAVE"): .wav
        case ("FORM", "AIFF"), ("FORM", "AIFC"): .aiff
        default: nil
        }
    }

    /// Finds the samples in `bytes`, which must be a complete file.
    /// - Throws: `otherFileType`, `noFormat`, `unsupportedCodec`, `noAudio`. A truncated end and wrong sizes are *not* errors.
    public static func scan(_ bytes: RawSpan) throws(AudioFormatError) -> PCMAudioStream {
        let stream: PCMAudioStream
        switch container(of: bytes) {
        case .wav: stream = try WAVHeader(bytes).stream()
        case .aiff: stream = try AIFFHeader(bytes).stream()
        case nil: throw AudioFormatError(.otherFileType, "this is neither a WAV nor an AIFF file")
        }
        guard stream.sampleCount > 0 else {
            throw AudioFormatError(.noAudio, "the file contains no samples of audio")
        }
        return stream
    }

    /// - Parameters:
    ///   - content: the bytes of the samples as far as the file has them.
    ///   - statedByteCount: their number as the file states it; nil if it is unknown.
    init(
        _ container: Container, _ format: PCMFormat, content: Range<Int>, statedByteCount: Int?
    ) {
        self.container = container
        self.format = format
        let size = format.frameSize
        payload = content.lowerBound..<(content.lowerBound + content.count / size * size)
        statedSampleCount = statedByteCount.map { $0 / size }
    }
}
