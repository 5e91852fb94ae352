/// The audio of a file, found without decoding: its stream, and the hash of its payload.
struct ScannedAudio {
    let stream: any AudioStream
    let hash: AudioHash
    /// Offset of the audio payload in the file, in bytes.
    var payloadOffset: Int { stream.payload.lowerBound }

    /// Scans a file for tags and frames, and hashes its audio payload.
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - passed: called periodically with an offset below which nothing will be read again.
    /// - Throws: the reason why the file contains no audio.
    init(_ bytes: RawSpan, passed: (Int) -> Void) throws(AnalyzerError) {
        stream = try AudioStreams.scan(bytes, passed: passed)
        hash = AudioHash(of: stream, in: bytes, passed: passed)
    }

    /// Scans and hashes a file that must contain audio.
    /// - Throws: `noAudio`, whatever the reason why it contains none.
    init(requiring bytes: RawSpan, passed: (Int) -> Void) throws(AnalyzerError) {
        do throws(AnalyzerError) {
            try self.init(bytes, passed: passed)
        } catch {
            throw AnalyzerError(.noAudio, error.message)
        }
    }
}
