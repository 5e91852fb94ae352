internal import FLACAudio
internal import MP4Audio
internal import MusicShared
internal import OggAudio
internal import PCMAudio

/// The audio of a file, found without decoding: all that a pass needs to know about its format.
///
/// Each format has one conforming type. ``AudioStreams`` chooses it by the file's content.
protocol AudioStream {
    /// Format of the file.
    var format: AudioFormat { get }
    /// Byte range of the audio in the file. Tags lie outside.
    var payload: Range<Int> { get }
    /// Facts that identify the audio besides bytes of the file; hashed before them.
    var hashedFacts: [UInt8] { get }
    /// Samples per second.
    var sampleRateHz: Int { get }
    /// The weight of each channel in loudness: 1 for left, right and centre, 1.41 for the surrounds, 0 for low-frequency
    /// effects (BS.1770-4, table 3). Their number is that of the channels.
    var channelWeights: [Double] { get }
    /// Samples per channel that a gapless player plays.
    var sampleCount: Int { get }
    /// Duration in seconds of the gapless timeline.
    var durationSeconds: Double { get }

    /// Calls a closure with the byte ranges of the file whose hash identifies the audio, in order: nothing that edits of tags change.
    func forEachHashedRange(_ body: (Range<Int>) -> Void)

    /// Decodes the audio on its gapless timeline.
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - passed: called periodically with an offset below which nothing will be read again.
    ///   - isCancelled: called periodically; true ends the decoding with `cancelled`.
    ///   - body: receives the blocks in order.
    /// - Returns: the irregularities found in the samples.
    func decode(
        _ bytes: RawSpan, passed: (Int) -> Void, isCancelled: () -> Bool, _ body: @escaping (PCMBlock) -> Void
    ) throws(AnalyzerError) -> DecodedAudio

    /// Describes the stream for storage.
    func description(_ decoded: DecodedAudio) -> StreamDescription

    /// Checks that the file is complete, contains mostly audio, and can be decoded at both ends.
    /// - Throws: `noAudio`, `truncated`, `undecodable` or `decoderFailed`.
    func requirePlayable(_ bytes: RawSpan) throws(AnalyzerError)
}

extension AudioStream {
    /// Number of channels.
    var channelCount: Int { channelWeights.count }

    // The usual case: the payload has the same bytes whatever the tags are.
    var hashedFacts: [UInt8] { [] }
    func forEachHashedRange(_ body: (Range<Int>) -> Void) { body(payload) }
}

/// The irregularities found by decoding a stream.
struct DecodedAudio: Equatable {
    /// Number of damaged frames, which were measured as silence.
    var damagedFrames = 0
    /// Whether the samples differ from those that the file's own checksum was made from.
    var hasWrongChecksum = false
}

/// Finds the audio of a file, whatever its format.
enum AudioStreams {
    /// Returns the stream in a file, recognised by its content alone.
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - passed: called periodically with an offset below which nothing will be read again.
    /// - Throws: the reason why the file contains no audio, under the code that the format's parser gave it.
    static func scan(_ bytes: RawSpan, passed: (Int) -> Void) throws(AnalyzerError) -> any AudioStream {
        if FLACAudioStream.isFLAC(bytes) { return try FLACFile(bytes, passed: passed) }
        if MP4AudioStream.isMP4(bytes) { return try MP4File(bytes, passed: passed) }
        if OggAudioStream.isOgg(bytes) { return try OggFile(bytes, passed: passed) }
        if PCMAudioStream.container(of: bytes) != nil {
            do throws(AnalyzerError) {
                return try PCMFile(bytes)
            } catch {
                // A WAV file with MP3 frames is read as MP3.
                guard error.code == PCMFile.wrapsMP3 else { throw error }
            }
        }
        return try MP3File(bytes, passed: passed)
    }
}
