internal import MusicShared

/// A segment of a station's audio: whole frames of one kind.
struct StationSegment {
    let kind: StationFrame.Kind
    /// Time of the first sample in milliseconds since 1970.
    let startMilliseconds: Double
    let frames: [StationFrame]
    /// Whether it does not continue the segment before it.
    let isDiscontinuity: Bool

    var seconds: Double { Double(frames.count * kind.sampleCount) / Double(kind.sampleRate) }
    var endMilliseconds: Double { startMilliseconds + seconds * 1000 }

    /// The segment as a file: a timestamp (RFC 8216 §3.4), then the frames.
    var bytes: [UInt8] {
        let ticks = UInt64(max(0, startMilliseconds * 90)) & PackedAudioTimestamp.largest
        return PackedAudioTimestamp.tag(timestamp: ticks) + frames.flatMap(\.bytes)
    }
}
