internal import Foundation
internal import MPEGAudio
internal import MusicShared

/// A track that is loaded, decoded and played. Used only by the engine.
final class Voice {
    let id: Int
    let entry: QueueEntry
    let source: any MediaSource
    var store = FrameStore()
    var decoder: TrackDecoder?
    var facts = MediaFacts()
    /// Whether the stream's metadata has arrived.
    var isOpened = false
    /// Ticks of padding at the end; nil until the last frame has arrived.
    var tailTrim: Int?
    /// The error that stopped loading.
    var failure: PlaybackError?
    /// The error after which loading is being retried.
    var trouble: (error: PlaybackError, delay: Double)?
    /// Audio before this position, in ticks, is not played.
    var soundFloor = 0
    /// The requested seek position in ticks, until audio from there is available.
    var soughtTicks: Int?
    /// The end position in ticks; nil for the track's own end.
    var endTicks: Int?
    /// Level changes in transitions.
    var envelopes: [Envelope] = []
    /// Changes of the bass in mixes.
    var shelves: [VoiceShelf] = []
    /// The way into a mix while it lasts; nil if the track starts at its own speed.
    var mix: MixEntry?
    /// Determines the gain.
    var level = LevelRule()
    /// The title reported by the station.
    var title: StationTitle?
    /// The amplitude factor.
    var gain: Float = 1
    /// Whether any of the loaded audio has been played.
    var hasSounded = false
    /// Whether its start has been reported.
    var isAnnounced = false
    var loader: Task<Void, Never>?
    var retryWait: Task<Void, Never>?
    var demand: CheckedContinuation<Void, Never>?
    /// Identifies the loader, so that pieces from an abandoned one are ignored.
    var loaderID = 0

    init(id: Int, entry: QueueEntry, source: any MediaSource) {
        self.id = id
        self.entry = entry
        self.source = source
    }

    /// The amplitude of the track's highest peak as played; that of full scale if it is unknown.
    var peak: Double {
        Double(gain) * (entry.item.facts?.loudness.map { pow(10, $0.truePeakDBTP / 20) } ?? 1)
    }

    /// Whether all frames have arrived and been decoded.
    var isDecoded: Bool { tailTrim != nil && store.isDecoded }

    /// Whether nothing can be played until more frames arrive: the last samples are held back, since they may be padding.
    var needsFrames: Bool { tailTrim == nil && store.isDecoded }

    /// The current position, in ticks.
    var position: Int {
        if let soughtTicks { return soughtTicks }
        if let mix, mix.elapsedSeconds != nil {
            return Int(mix.seconds(at: 0) * Double(StreamTime.ticksPerSecond))
        }
        guard let decoder, hasSounded || decoder.available > 0 else { return soundFloor }
        return decoder.position
    }

    /// The positions of the next samples, in seconds.
    func positions(_ count: Int, format: AudioFormat) -> [Double] {
        if let mix { return (0..<count).map { mix.seconds(at: $0) } }
        let start = StreamTime.seconds(decoder?.position ?? 0)
        return (0..<count).map { start + Double($0) / Double(format.sampleRate) }
    }

    /// Removes samples from the front and passes them to `body`, interleaved.
    func take(_ count: Int, _ body: (UnsafeBufferPointer<Float>) -> Void) {
        guard mix == nil else { return mix?.take(count, body) ?? () }
        decoder?.take(count, body)
    }

    /// Seconds from the current position to the end of the buffered frames.
    var aheadSeconds: Double {
        guard let end = store.range?.upperBound else { return 0 }
        return max(0, StreamTime.seconds(min(end, endTicks ?? .max) - position))
    }

    /// Decodes until the given number of samples is available or no frames are left.
    func prepare(_ count: Int, format: AudioFormat) throws(PlaybackError) {
        let decoder: TrackDecoder
        if let known = self.decoder, known.format == format {
            decoder = known
        } else {
            decoder = TrackDecoder(format: format)
            self.decoder = decoder
        }
        try prepareMix(count, decoder)
        if mix == nil || mix?.elapsedSeconds == nil { try decode(count, decoder) }
        if decoder.available > 0 || mix?.available ?? 0 > 0 { soughtTicks = nil }
    }

    /// Stretches until the given number of samples is available or no frames are left.
    private func prepareMix(_ count: Int, _ decoder: TrackDecoder) throws(PlaybackError) {
        guard mix?.elapsedSeconds != nil else { return }
        while mix?.isOver == false, mix?.consume(decoder, upTo: count) == true {
            try decode(1, decoder)
            guard decoder.available == 0 else { continue }
            if isDecoded { mix?.finish() }
            break
        }
        if mix?.isOver == true { mix = nil }
    }

    private func decode(_ count: Int, _ decoder: TrackDecoder) throws(PlaybackError) {
        while decoder.available < count, let next = store.take() {
            if let begins = next.begins {
                try decoder.begin(soundFrom: max(begins, soundFloor), keepsSamples: true)
            }
            try decoder.decode(next.frame)
        }
        if decoder.available < count, isDecoded, let tailTrim { decoder.finish(tailTrim: tailTrim) }
    }

    /// Returns the number of samples that can be mixed now, up to the end position.
    func available(_ format: AudioFormat) -> Int {
        guard decoder != nil else { return 0 }
        guard let endTicks else { return soundAvailable }
        let left = (endTicks - position) / (StreamTime.ticksPerSecond / format.sampleRate)
        return min(soundAvailable, max(0, left))
    }

    /// Number of samples that can be taken; when a mix is over, those of the decoder.
    private var soundAvailable: Int {
        guard let mix, mix.elapsedSeconds != nil, !mix.isOver else { return decoder?.available ?? 0 }
        return mix.available
    }

    /// Whether the track has been played to its end.
    func isOver(_ format: AudioFormat) -> Bool {
        if let endTicks, soundAvailable > 0,
            endTicks - position < StreamTime.ticksPerSecond / format.sampleRate
        {
            return true
        }
        return isDecoded && soundAvailable == 0 && (decoder?.available ?? 0) == 0
    }

    /// Seeks within the buffered range.
    /// - Returns: false if the position is not buffered.
    func seek(to ticks: Int) throws(PlaybackError) -> Bool {
        leaveMix()
        guard store.seek(to: ticks) else { return false }
        soundFloor = ticks
        soughtTicks = ticks
        try decoder?.begin(soundFrom: ticks, keepsSamples: false)
        if decoder == nil { hasSounded = false }
        return true
    }

    /// Starts the mix that has been planned for the track.
    /// - Parameter elapsedSeconds: time since its planned start.
    func enterMix(elapsedSeconds: Double) { mix?.elapsedSeconds = max(0, elapsedSeconds) }

    /// Continues without the track before: at its own speed, without fade-in.
    func leaveMix() {
        mix = nil
        envelopes.removeAll(where: \.isFadeIn)
        shelves.removeAll(where: \.isIncoming)
    }

    /// Cancels loading and retries.
    func abandon() {
        loaderID += 1
        loader?.cancel()
        retryWait?.cancel()
        loader = nil
        let waiter = demand
        demand = nil
        waiter?.resume()
    }
}

/// An item in the queue.
struct QueueEntry: Sendable, Equatable {
    let id: Int
    let item: PlayableItem
}
