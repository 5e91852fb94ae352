public import MusicShared

/// The identity of a file's audio, determined without decoding.
public struct AudioIdentity: Sendable, Equatable {
    /// Format of the file, whatever its name.
    public let format: AudioFormat
    /// Hash of the audio payload.
    public let audioHash: AudioHash
    /// Offset of the audio payload in the file, in bytes.
    public let payloadOffset: Int

    /// Scans a file and hashes its audio payload.
    /// - Throws: `noAudio`, `fileChanged`, `fileUnreadable`.
    public init(of file: MappedFile) throws(AnalyzerError) {
        let audio = try file.withVerifiedBytes { bytes throws(AnalyzerError) in
            try ScannedAudio(requiring: bytes) { file.release(before: $0) }
        }
        format = audio.stream.format
        audioHash = audio.hash
        payloadOffset = audio.payloadOffset
    }
}
