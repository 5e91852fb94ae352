internal import Foundation
internal import MPEGAudio
internal import MusicShared

extension PlaybackEngine {
    /// Replaces the queue and starts playing at one of its items.
    /// - Parameters:
    ///   - items: the items to play, in order.
    ///   - index: index of the first item to play.
    ///   - seconds: start position in that item.
    public func play(_ items: [PlayableItem], startingAt index: Int = 0, from seconds: Double = 0) {
        guard !isShutDown, items.indices.contains(index) else { return }
        queue = items.map { QueueEntry(id: makeID(), item: $0) }
        hub.send(.queueChanged)
        start(index, from: seconds)
    }

    /// Pauses playback and keeps the position.
    public func pause() {
        let paused: PlaybackPhase.Paused
        switch phase {
        case .starting(let phase): paused = phase.pause()
        case .waitingForData(let phase): paused = phase.pause()
        case .waitingForOutput(let phase): paused = phase.pause()
        case .playing(let phase):
            makeTail()
            // The end of the queue has just been played.
            guard current != nil else { return stop(.endOfFile) }
            paused = phase.pause()
        case .buffering(let phase): paused = phase.pause()
        case .initialized, .paused, .interrupting, .stopping, .stopped: return
        }
        if current?.hasSounded == true { mixer?.beginRamp() }
        enter(.paused(paused))
    }

    /// Resumes playback after a pause.
    public func resume() {
        guard case .paused(let phase) = phase else { return }
        enter(.waitingForData(phase.resume()))
        checkReady()
    }

    /// Stops playback; the queue and the position are kept.
    public func stop() {
        makeTail()
        stop(.user)
    }

    /// Skips to the next item; at the end of the queue, stops playback.
    public func next() {
        guard let index else { return }
        guard queue.indices.contains(index + 1) else { return stop() }
        start(index + 1, from: 0)
    }

    /// Skips to the previous item, or to the start of the current one if more than a few seconds of it have been played.
    public func previous() {
        guard let index else { return }
        let heard = current.map { StreamTime.seconds($0.position) } ?? 0
        if heard > 3 || index == 0 { seek(to: 0) } else { start(index - 1, from: 0) }
    }

    /// Plays the item at an index of the queue.
    public func jump(to place: Int) {
        guard queue.indices.contains(place) else { return }
        start(place, from: 0)
    }

    /// Restarts stopped playback: at the last position, or at the start of the track if it had ended.
    public func retry() {
        guard let index, case .stopped(let stopped) = phase else { return }
        let isAtEnd = if case .endOfFile = stopped.reason { true } else { false }
        start(index, from: isAtEnd ? 0 : lastPosition)
    }

    /// Sets the volume, 0…1.
    public func setVolume(_ level: Double) {
        volume = max(0, min(1, level))
        mixer?.setVolume(Float(volume))
    }

    /// Sets the kind of network. When a network becomes available, failed requests are retried at once.
    public func networkChanged(to network: NetworkKind) {
        governor.network = network
        if network != .none { connectionRestored() }
    }

    /// Retries requests that failed with connection or server errors; playback that stopped for such an error resumes.
    public func connectionRestored() {
        for voice in [outgoing, current, upcoming] { voice?.retryWait?.cancel() }
        if case .stopped(let stopped) = phase, case .error(let error) = stopped.reason, error.isTransient {
            retry()
        }
    }

    /// Seeks within the current item: at once if the position is buffered, otherwise after it has been loaded.
    public func seek(to seconds: Double) {
        guard seconds.isFinite else { return }
        if case .playing = phase { makeTail() }
        guard let voice = current else {
            if let index, case .stopped = phase { start(index, from: max(0, seconds)) }
            return
        }
        let ticks = place(seconds, in: voice)
        let wasPaused: Bool
        if case .paused = phase { wasPaused = true } else { wasPaused = false }
        guard let interrupted = interrupt() else { return }
        enter(.interrupting(interrupted))
        outgoing?.abandon()
        outgoing = nil
        // Do not repeat a fade-in.
        voice.leaveMix()
        mixer?.beginRamp()
        do throws(PlaybackError) {
            if try !voice.seek(to: ticks) { load(voice, from: StreamTime.seconds(ticks)) }
        } catch {
            return fail(error)
        }
        if wasPaused {
            enter(.paused(interrupted.pause()))
        } else {
            enter(.waitingForData(interrupted.reposition()))
            checkReady()
        }
        serveDemand()
    }

    /// Returns the ticks of the sample nearest to a position; for live streams, limited to the buffered range.
    private func place(_ seconds: Double, in voice: Voice) -> Int {
        let rate = voice.store.nextFrame?.sampleRate ?? 44_100
        let limit = voice.facts.durationSeconds ?? .infinity
        let sample = Int((max(0, min(seconds, limit, 1e9)) * Double(rate)).rounded())
        let ticks = sample * (StreamTime.ticksPerSecond / rate)
        guard voice.facts.isLive, let range = voice.store.range else { return ticks }
        return max(range.lowerBound, min(ticks, range.upperBound - 1))
    }

    // MARK: - Implementation of the commands

    /// Starts playing an item of the queue.
    func start(_ place: Int, from seconds: Double) {
        makeTail()
        let starting: PlaybackPhase.Starting
        switch phase {
        case .initialized(let phase): starting = phase.start()
        case .stopped(let phase): starting = phase.start()
        case .stopping(let phase):
            let stopped = phase.finished()
            enter(.stopped(stopped))
            starting = stopped.start()
        default:
            guard let interrupted = interrupt() else { return }
            enter(.interrupting(interrupted))
            if let item = current?.entry.item { hub.send(.itemEnded(item, isComplete: false)) }
            starting = interrupted.restart()
        }
        dropVoices()
        // The start of a recording is played as it is.
        if seconds > 0 || isContinuation(place) { mixer?.beginRamp() }
        index = place
        lastPosition = seconds
        let voice = makeVoice(queue[place])
        current = voice
        enter(.starting(starting))
        load(voice, from: max(seconds, voice.entry.skippedSeconds(configuration)))
        startRenderer()
    }

    /// Whether an item of the queue continues the one before it, so that it may start in the middle of sound.
    private func isContinuation(_ place: Int) -> Bool {
        queue[safe: place - 1].map { queue[place].item.continues($0.item) } ?? false
    }

    private func interrupt() -> PlaybackPhase.Interrupting? {
        switch phase {
        case .starting(let phase): phase.interrupt()
        case .waitingForData(let phase): phase.interrupt()
        case .waitingForOutput(let phase): phase.interrupt()
        case .playing(let phase): phase.interrupt()
        case .buffering(let phase): phase.interrupt()
        case .paused(let phase): phase.interrupt()
        case .interrupting(let phase): phase
        case .initialized, .stopping, .stopped: nil
        }
    }

    /// Stops playback. Does nothing if it has already stopped.
    func stop(_ reason: PlaybackPhase.EndReason) {
        let stopping: PlaybackPhase.Stopping
        switch phase {
        case .starting(let phase): stopping = phase.stop(reason)
        case .waitingForData(let phase): stopping = phase.stop(reason)
        case .waitingForOutput(let phase): stopping = phase.stop(reason)
        case .playing(let phase): stopping = phase.stop(reason)
        case .buffering(let phase): stopping = phase.stop(reason)
        case .paused(let phase): stopping = phase.stop(reason)
        case .interrupting(let phase): stopping = phase.stop(reason)
        case .initialized, .stopping, .stopped: return
        }
        if let voice = current {
            lastPosition = StreamTime.seconds(max(0, voice.position))
            if reason != .endOfFile { hub.send(.itemEnded(voice.entry.item, isComplete: false)) }
        }
        dropVoices()
        enter(.stopping(stopping))
    }

    /// Stops playback because of an error.
    func fail(_ error: PlaybackError) {
        if let item = current?.entry.item { hub.send(.failed(item, error)) }
        stop(.error(error))
    }
}

extension QueueEntry {
    /// Seconds to skip at the start.
    func skippedSeconds(_ configuration: PlaybackConfiguration) -> Double {
        guard configuration.skipsSilence || configuration.transition == .planned else { return 0 }
        return item.facts?.cueInSeconds ?? 0
    }
}
