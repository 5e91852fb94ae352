package import MusicShared

/// A whole frame of a station's audio.
package struct StationFrame: Sendable, Equatable {
    /// The properties that all frames of a segment share.
    package struct Kind: Sendable, Hashable {
        /// Format of the frame.
        package let format: StationFormat
        /// Samples per second that the frame states.
        package let sampleRate: Int
        /// Number of channels that the frame states.
        package let channelCount: Int
        /// Samples per channel.
        package let sampleCount: Int
        /// The AudioSpecificConfig of a decoder; empty for MP3.
        package let configuration: [UInt8]
    }

    /// The properties of the frame.
    package let kind: Kind
    /// All bytes of the frame, for AAC with its ADTS header.
    package let bytes: [UInt8]
    /// Length of the ADTS header in bytes; 0 for MP3.
    package let headerLength: Int

    /// Duration in seconds.
    package var seconds: Double { Double(kind.sampleCount) / Double(kind.sampleRate) }
}
