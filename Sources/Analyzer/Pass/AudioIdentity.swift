internal import MPEGAudio

/// What a file's audio is known by, without decoding it.
public struct AudioIdentity: Sendable, Equatable {
    /// What it sounds like.
    public let audioHash: AudioHash
    /// Where the audio payload begins in the file, in bytes.
    public let payloadOffset: Int

    /// Reads a file.
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
