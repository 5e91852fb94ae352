internal import MPEGAudio

/// The identity of a file's audio, determined without decoding.
public struct AudioIdentity: Sendable, Equatable {
    /// Hash of the audio payload.
    public let audioHash: AudioHash
    /// Offset of the audio payload in the file, in bytes.
    public let payloadOffset: Int

    /// Scans a file and hashes its audio payload.
    /// - Throws: `notMP3`, `fileChanged`, `fileUnreadable`.
    public init(of file: MappedFile) throws(AnalyzerError) {
        let found: Result<(AudioHash, Int), MPEGAudioError> = file.withBytes { bytes in
            Result { () throws(MPEGAudioError) in
                let stream = try MPEGAudioStream.scan(bytes) { file.release(before: $0) }
                let hash = AudioHash(of: bytes, in: stream.payload) { file.release(before: $0) }
                return (hash, stream.payload.lowerBound)
            }
        }
        (audioHash, payloadOffset) = try found.mapError { AnalyzerError(.notMP3, $0.message) }.get()
        try file.verifyUnchanged()
    }
}
