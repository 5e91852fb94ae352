internal import MPEGAudio
internal import MusicShared

/// The change of a track's bass in a mix.
struct VoiceShelf {
    /// Seconds after a change that ends without a gain, after which the filter is inaudible.
    private static let settling = 0.5

    let change: CrossfadePlan.BassShelf
    /// Whether the track is the incoming one.
    let isIncoming: Bool
    private var filter: LowShelf?

    init(_ change: CrossfadePlan.BassShelf, isIncoming: Bool) {
        self.change = change
        self.isIncoming = isIncoming
    }

    /// Whether the bass is unchanged up to a position in seconds.
    func isIdle(upTo seconds: Double) -> Bool {
        filter == nil && change.startGainDB == 0 && seconds < change.startSeconds
    }

    /// Whether the filter is not needed any more from a position in seconds on.
    func isOver(at seconds: Double) -> Bool {
        change.endGainDB == 0 && seconds > change.startSeconds + change.durationSeconds + Self.settling
    }

    /// Filters interleaved samples.
    /// - Parameter seconds: the position of each sample.
    mutating func apply(to samples: inout [Float], format: AudioFormat, at seconds: [Double]) {
        var filter =
            self.filter
            ?? LowShelf(
                hertz: change.hertz, sampleRate: format.sampleRate, channelCount: format.channelCount)
        for index in seconds.indices {
            filter.setGain(change.gainDB(atSeconds: seconds[index]))
            for channel in 0..<format.channelCount {
                let place = index * format.channelCount + channel
                samples[place] = filter.filter(samples[place], channel: channel)
            }
        }
        self.filter = filter
    }
}
