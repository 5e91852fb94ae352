internal import MPEGAudio
internal import MusicShared

/// A track that is loaded, decoded and heard. Belongs to the engine alone.
final class Voice {
    let id: Int
    let entry: QueueEntry
    let source: any MediaSource
    var store = FrameStore()
    var decoder: TrackDecoder?
    var facts = MediaFacts()
    /// Whether the first facts have come.
    var isOpened = false
    /// Ticks of padding; nil until the last frame has come.
    var tailTrim: Int?
    /// Why no more comes.
    var failure: PlaybackError?
    /// What is being tried again at the moment.
    var trouble: (error: PlaybackError, delay: Double)?
    /// Nothing before this sounds, in ticks.
    var soundFloor = 0
    /// Where the listener asked to be, in ticks, until sound comes from there.
    var soughtTicks: Int?
    /// Where it ends, in ticks; nil for its own end.
    var endTicks: Int?
    /// How its level changes where it meets another.
    var envelopes: [Envelope] = []
    /// Factor of its level.
    var gain: Float = 1
    /// Whether any of what is loaded has sounded.
    var hasSounded = false
    /// Whether it was told that it began.
    var isAnnounced = false
    var loader: Task<Void, Never>?
    var retryWait: Task<Void, Never>?
    var demand: CheckedContinuation<Void, Never>?
    /// Numbers the loader, so that one that was given up is not heard any more.
    var loaderID = 0

    init(id: Int, entry: QueueEntry, source: any MediaSource) {
        self.id = id
        self.entry = entry
        self.source = source
    }

    /// Whether all frames have come and were decoded.
    var isDecoded: Bool { tailTrim != nil && store.isDecoded }

    /// Where it stands, in ticks.
    var position: Int {
        if let soughtTicks { return soughtTicks }
        guard let decoder, hasSounded || decoder.available > 0 else { return soundFloor }
        return decoder.position
    }

    /// Seconds from where it stands to the last frame that has come.
    var aheadSeconds: Double {
        guard let end = store.range?.upperBound else { return 0 }
        return max(0, StreamTime.seconds(min(end, endTicks ?? .max) - position))
    }

    /// Decodes until so many samples are there, or no more frames are.
    func prepare(_ count: Int, format: AudioFormat) throws(PlaybackError) {
        let decoder: TrackDecoder
        if let known = self.decoder, known.format == format {
            decoder = known
        } else {
            decoder = TrackDecoder(format: format)
            self.decoder = decoder
        }
        while decoder.available < count, let next = store.take() {
            if let begins = next.begins {
                try decoder.begin(soundFrom: max(begins, soundFloor), keepsSamples: true)
            }
            try decoder.decode(next.frame)
        }
        if decoder.available < count, isDecoded, let tailTrim { decoder.finish(tailTrim: tailTrim) }
        if decoder.available > 0 { soughtTicks = nil }
    }

    /// Samples that can be mixed now, of the track's part that is to be heard.
    func available(_ format: AudioFormat) -> Int {
        guard let decoder else { return 0 }
        guard let endTicks else { return decoder.available }
        let left = (endTicks - decoder.position) / (StreamTime.ticksPerSecond / format.sampleRate)
        return min(decoder.available, max(0, left))
    }

    /// Whether nothing of it is left to be heard.
    func isOver(_ format: AudioFormat) -> Bool {
        if let endTicks, let decoder, decoder.available > 0,
            endTicks - decoder.position < StreamTime.ticksPerSecond / format.sampleRate
        {
            return true
        }
        return isDecoded && (decoder?.available ?? 0) == 0
    }

    /// Goes to a moment within what has come.
    /// - Returns: false where it has not.
    func seek(to ticks: Int) throws(PlaybackError) -> Bool {
        guard store.seek(to: ticks) else { return false }
        soundFloor = ticks
        soughtTicks = ticks
        try decoder?.begin(soundFrom: ticks, keepsSamples: false)
        if decoder == nil { hasSounded = false }
        return true
    }

    /// Ends what is under way for it.
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

/// A place in the queue.
struct QueueEntry: Sendable, Equatable {
    let id: Int
    let item: PlayableItem
}
