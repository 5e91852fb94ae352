internal import MPEGAudio
internal import MusicShared

/// The way of a track into a mix: along its speed curve, until it has its own speed.
struct MixEntry {
    let curve: SpeedCurve
    /// Time since the planned start of the mix at the first sample, in seconds; nil until the mix starts.
    var elapsedSeconds: Double?
    private(set) var stretch: StretchStream?

    init(_ curve: SpeedCurve) { self.curve = curve }

    /// Whether the track has been taken over by its decoder: it has its own speed, and nothing is left to take.
    var isOver: Bool { stretch.map { $0.isSettled && $0.available == 0 } ?? false }

    /// Number of samples per channel that can be taken.
    var available: Int { stretch?.available ?? 0 }

    /// The position in the track of a sample to take, in seconds.
    func seconds(at offset: Int) -> Double {
        stretch?.seconds(at: offset) ?? curve.position(afterSeconds: elapsedSeconds ?? 0)
    }

    /// Stretches what a decoder has.
    /// - Returns: whether more is needed.
    mutating func consume(_ decoder: TrackDecoder, upTo count: Int) -> Bool {
        guard let elapsedSeconds, decoder.available > 0 else {
            return elapsedSeconds != nil && !isFilled(count)
        }
        let rate = decoder.format.sampleRate
        if stretch == nil {
            let needed = StretchStream.firstNeeded(
                sampleRate: rate, curve: curve, elapsedSeconds: elapsedSeconds)
            let position = StreamTime.samples(decoder.position, at: rate)
            if position < needed {
                decoder.take(min(needed - position, decoder.available)) { _ in }
                return true
            }
            stretch = StretchStream(
                sampleRate: rate, channelCount: decoder.format.channelCount, curve: curve,
                elapsedSeconds: elapsedSeconds, firstSample: position)
        }
        while !isFilled(count), decoder.available > 0 {
            decoder.take(min(decoder.available, 1024)) { stretch?.push($0) }
        }
        return !isFilled(count)
    }

    private func isFilled(_ count: Int) -> Bool {
        stretch.map { $0.isSettled || $0.available >= count } ?? false
    }

    /// Ends the track.
    mutating func finish() { stretch?.finish() }

    mutating func take(_ count: Int, _ body: (UnsafeBufferPointer<Float>) -> Void) {
        stretch?.take(count, body)
    }
}
