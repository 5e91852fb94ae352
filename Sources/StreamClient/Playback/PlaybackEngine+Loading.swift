internal import Foundation
internal import MPEGAudio
internal import MusicShared

extension PlaybackEngine {
    /// Creates a voice for a queue entry.
    /// - Parameter former: the voice played before it without a break, if any.
    func makeVoice(_ entry: QueueEntry, after former: Voice? = nil) -> Voice {
        let voice = Voice(id: makeID(), entry: entry, source: sources.source(of: entry.item))
        voice.level = LevelRule(
            configuration.normalization, entry.item, isWithinAlbum: isWithinAlbum(entry),
            after: former.map { ($0.entry.item, $0.gain) })
        voice.gain = voice.level.factor(tags: nil)
        if configuration.skipsSilence, let end = entry.item.facts?.cueOutSeconds {
            voice.endTicks = Int(end * Double(StreamTime.ticksPerSecond))
        }
        return voice
    }

    /// Whether a neighbour in the queue is also the entry's neighbour on its album.
    private func isWithinAlbum(_ entry: QueueEntry) -> Bool {
        guard let place = queue.firstIndex(where: { $0.id == entry.id }) else { return false }
        return queue[safe: place - 1].map { entry.item.continues($0.item) } ?? false
            || queue[safe: place + 1].map { $0.item.continues(entry.item) } ?? false
    }

    /// Loads a track from a position, discarding what was loaded before.
    func load(_ voice: Voice, from seconds: Double) {
        voice.abandon()
        let id = voice.loaderID
        voice.store = FrameStore()
        voice.decoder = nil
        if voice.mix?.elapsedSeconds != nil { voice.leaveMix() }
        voice.hasSounded = false
        voice.tailTrim = nil
        voice.failure = nil
        voice.trouble = nil
        // The reader reports where audio starts, to the sample at the track's own rate.
        voice.soundFloor = 0
        voice.soughtTicks = Int(seconds * Double(StreamTime.ticksPerSecond))
        let source = voice.source
        let voiceID = voice.id
        voice.loader = Task(executorPreference: configuration.executor) { [weak self] in
            await Self.load(source.reader(from: seconds), for: self, voiceID, id)
        }
    }

    /// Reads everything, at the pace of playback, and retries after failures.
    private nonisolated static func load(
        _ reader: any MediaReader, for engine: PlaybackEngine?, _ voiceID: Int, _ loaderID: Int
    ) async {
        // Count consecutive failures of each kind separately: a restarting host is first unreachable, then busy, and one must
        // not use up the retries of the other.
        var (failures, unanswered) = (0, 0)
        while !Task.isCancelled {
            do throws(PlaybackError) {
                guard let piece = try await reader.next() else { return }
                (failures, unanswered) = (0, 0)
                guard let engine, await engine.accept(piece, voiceID, loaderID) else { return }
            } catch {
                let isUnanswered = error.code == .noConnection
                let attempt = isUnanswered ? unanswered : failures
                guard let engine, await engine.mayRetry(error, attempt: attempt, voiceID, loaderID)
                else { return }
                (failures, unanswered) = isUnanswered ? (0, attempt + 1) : (attempt + 1, 0)
            }
        }
    }

    private func voice(_ id: Int, _ loaderID: Int) -> Voice? {
        [current, outgoing, upcoming].lazy.compactMap { $0 }.first { $0.id == id && $0.loaderID == loaderID }
    }

    /// Stores a piece, and waits until the next one is needed.
    /// - Returns: whether to continue reading.
    private func accept(_ piece: MediaPiece, _ id: Int, _ loaderID: Int) async -> Bool {
        guard let voice = voice(id, loaderID) else { return false }
        take(piece, voice)
        if voice.trouble != nil {
            voice.trouble = nil
            updateNotice()
        }
        reportBandwidth()
        checkReady()
        considerNext()
        wake()
        while voice.loaderID == loaderID, !isShutDown, !wantsMore(voice) {
            await withCheckedContinuation { voice.demand = $0 }
        }
        return voice.loaderID == loaderID && !isShutDown
    }

    private func take(_ piece: MediaPiece, _ voice: Voice) {
        switch piece {
        case .facts(let facts):
            voice.facts = facts
            voice.gain = voice.level.factor(tags: facts.replayGain)
            if voice === current { hub.send(.factsChanged(facts)) }
            guard !voice.isOpened else { return }
            voice.isOpened = true
            if voice === current, case .starting(let phase) = phase {
                enter(.waitingForData(phase.opened()))
            }
        case .begin(let soundFrom): voice.store.begin(soundFrom: soundFrom)
        case .frames(let frames):
            for frame in frames { voice.store.append(frame) }
            if voice === current { recorder?.take(frames) }
            trim(voice)
        case .title(let title):
            // Stations repeat their title, at least on every new connection.
            guard title != voice.title else { return }
            voice.title = title
            if voice === current, voice.isAnnounced { announce(title) }
        case .end(let tailTrim): voice.tailTrim = tailTrim
        }
    }

    /// Reports the title that a station is playing.
    func announce(_ title: StationTitle) {
        recorder?.note(title)
        hub.send(.titleChanged(title))
    }

    /// Discards frames that are too old to seek back to.
    func trim(_ voice: Voice) {
        let policy = configuration.buffer
        let kept = voice.facts.isLive ? policy.timeshiftSeconds : policy.keptBehindSeconds
        let before = voice.position - Int(kept * Double(StreamTime.ticksPerSecond))
        let limit = voice.facts.isLive ? policy.byteLimit : .max
        // Paused for longer than the live buffer holds: continue with the oldest frame available.
        if voice.store.trim(before: before, byteLimit: limit), let range = voice.store.range {
            voice.decoder = nil
            voice.leaveMix()
            voice.soundFloor = range.lowerBound
            voice.hasSounded = false
            _ = voice.store.seek(to: range.lowerBound)
        }
    }

    /// Whether to retry after a failure; waits for the retry delay first.
    private func mayRetry(
        _ error: PlaybackError, attempt: Int, _ id: Int, _ loaderID: Int
    ) async -> Bool {
        guard let voice = voice(id, loaderID), error.code != .cancelled, !isShutDown else { return false }
        let isNeeded = voice !== upcoming && isWaitingForData
        guard let delay = configuration.retry.delay(after: error, attempt: attempt, isNeeded: isNeeded) else {
            voice.trouble = nil
            voice.failure = error
            checkReady()
            wake()
            return false
        }
        voice.trouble = (error, delay)
        updateNotice()
        let clock = clock
        let wait = Task(executorPreference: configuration.executor) {
            _ = try? await clock.sleep(seconds: delay)
        }
        voice.retryWait = wait
        await wait.value
        voice.retryWait = nil
        return voice.loaderID == loaderID && !isShutDown
    }

    private func reportBandwidth() {
        guard let measured = traffic.bitsPerSecond, measured != lastMeasured else { return }
        lastMeasured = measured
        hub.send(.bandwidthMeasured(measured))
    }

    // MARK: - Demand

    func wantsMore(_ voice: Voice) -> Bool {
        if voice.facts.isLive { return true }
        let policy = configuration.buffer
        guard voice.store.byteCount < policy.byteLimit else { return false }
        let wanted = policy.aheadSeconds(bitsPerSecond: traffic.bitsPerSecond)
        if voice !== upcoming { return voice.aheadSeconds < wanted }
        // Not at the expense of the current track.
        let isCurrentServed = current.map { $0.tailTrim != nil || $0.aheadSeconds >= wanted / 2 } ?? true
        return isCurrentServed && voice.aheadSeconds < policy.preloadSeconds
    }

    /// Resumes the loaders that need more data.
    func serveDemand() {
        if let current { governor.stores(current.aheadSeconds) }
        for voice in [current, outgoing, upcoming].compactMap({ $0 }) where wantsMore(voice) {
            let waiter = voice.demand
            voice.demand = nil
            waiter?.resume()
        }
    }

    /// Whether playback is waiting for data.
    private var isWaitingForData: Bool {
        switch phase {
        case .starting, .waitingForData, .buffering: true
        default: false
        }
    }

    /// Seconds of audio required to start or resume playback.
    private func startSeconds(_ voice: Voice) -> Double {
        let wanted = configuration.buffer.startSeconds(bitsPerSecond: traffic.bitsPerSecond)
        // A live stream arrives no faster than it plays, so the initial burst must suffice.
        return voice.facts.isLive ? min(wanted, 2) : wanted
    }

    /// Share of the required audio that has been buffered, 0…1; nil if playback is not waiting for data.
    var bufferingProgress: Double? {
        guard isWaitingForData, let voice = current else { return nil }
        let wanted = startSeconds(voice)
        return voice.tailTrim != nil || wanted <= 0 ? 1 : min(1, voice.aheadSeconds / wanted)
    }

    /// Whether enough audio is buffered to play.
    private func isReady(_ voice: Voice) -> Bool {
        if isHeldUp(voice) { return false }
        // The track that is fading out must be buffered as well.
        if let outgoing, outgoing.needsFrames, outgoing.failure == nil { return false }
        if voice.needsFrames { return false }
        if voice.tailTrim != nil { return true }
        let ahead = voice.aheadSeconds
        guard ahead > 0 else { return false }
        if voice.failure != nil || !sink.isRealTime { return true }
        return ahead >= startSeconds(voice)
    }

    /// Continues if enough data has arrived; stops if no more will arrive.
    func checkReady() {
        guard let voice = current else { return }
        let isReady = isReady(voice)
        switch phase {
        case .waitingForData(let phase) where isReady: enter(.waitingForOutput(phase.ready()))
        case .buffering(let phase) where isReady: enter(.waitingForOutput(phase.ready()))
        case .starting, .waitingForData, .buffering:
            if let failure = voice.failure { passOver(voice, failure) }
        default: break
        }
    }

    /// Skips to the next item if a retry is pointless; otherwise stops.
    private func passOver(_ voice: Voice, _ failure: PlaybackError) {
        let isHopeless = [
            .notFound, .refused, .notMP3, .unsupported, .badPlaylist, .fileUnreadable, .decoderFailed,
        ].contains(failure.code)
        guard isHopeless, passedOverCount < Self.mostPassedOver, let index,
            queue.indices.contains(index + 1)
        else { return fail(failure) }
        passedOverCount += 1
        hub.send(.failed(voice.entry.item, failure))
        start(index + 1, from: 0)
    }
}
