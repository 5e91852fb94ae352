internal import Foundation
internal import MPEGAudio
internal import MusicShared

extension PlaybackEngine {
    func makeVoice(_ entry: QueueEntry) -> Voice {
        let voice = Voice(id: makeID(), entry: entry, source: sources.source(of: entry.item))
        voice.gain = LevelRule.factor(configuration.normalization, entry.item.facts, tags: nil)
        if configuration.skipsSilence, let end = entry.item.facts?.cueOutSeconds {
            voice.endTicks = Int(end * Double(StreamTime.ticksPerSecond))
        }
        return voice
    }

    /// Loads a track from a moment on, in place of what had come of it.
    func load(_ voice: Voice, from seconds: Double) {
        voice.abandon()
        let id = voice.loaderID
        voice.store = FrameStore()
        voice.decoder = nil
        voice.hasSounded = false
        voice.tailTrim = nil
        voice.failure = nil
        voice.trouble = nil
        // The reader says where sound begins, to the sample of the track's own rate.
        voice.soundFloor = 0
        voice.soughtTicks = Int(seconds * Double(StreamTime.ticksPerSecond))
        let source = voice.source
        let voiceID = voice.id
        voice.loader = Task(executorPreference: configuration.executor) { [weak self] in
            await Self.load(source.reader(from: seconds), for: self, voiceID, id)
        }
    }

    /// Reads all that comes, at the pace of playback, and again where it fails.
    private nonisolated static func load(
        _ reader: any MediaReader, for engine: PlaybackEngine?, _ voiceID: Int, _ loaderID: Int
    ) async {
        var failures = 0
        while !Task.isCancelled {
            do throws(PlaybackError) {
                guard let piece = try await reader.next() else { return }
                failures = 0
                guard let engine, await engine.accept(piece, voiceID, loaderID) else { return }
            } catch {
                guard let engine, await engine.mayRetry(error, attempt: failures, voiceID, loaderID)
                else { return }
                failures += 1
            }
        }
    }

    private func voice(_ id: Int, _ loaderID: Int) -> Voice? {
        [current, outgoing, upcoming].lazy.compactMap { $0 }.first { $0.id == id && $0.loaderID == loaderID }
    }

    /// Takes a piece, and waits until the next one is wanted.
    /// - Returns: whether it is.
    private func accept(_ piece: MediaPiece, _ id: Int, _ loaderID: Int) async -> Bool {
        guard let voice = voice(id, loaderID) else { return false }
        take(piece, voice)
        if voice.trouble != nil {
            voice.trouble = nil
            updateNotice()
        }
        tellBandwidth()
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
            voice.gain = LevelRule.factor(
                configuration.normalization, voice.entry.item.facts, tags: facts.replayGain)
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
            if voice === current {
                recorder?.note(title)
                hub.send(.titleChanged(title))
            }
        case .end(let tailTrim): voice.tailTrim = tailTrim
        }
    }

    /// Gives up what is too old to be gone back to.
    func trim(_ voice: Voice) {
        let policy = configuration.buffer
        let kept = voice.facts.isLive ? policy.timeshiftSeconds : policy.keptBehindSeconds
        let before = voice.position - Int(kept * Double(StreamTime.ticksPerSecond))
        let limit = voice.facts.isLive ? policy.byteLimit : .max
        // Paused for longer than is kept of a live stream: it goes on with the oldest that there is.
        if voice.store.trim(before: before, byteLimit: limit), let range = voice.store.range {
            voice.decoder = nil
            voice.soundFloor = range.lowerBound
            voice.hasSounded = false
            _ = voice.store.seek(to: range.lowerBound)
        }
    }

    /// Whether a failure is to be got over; waits before it is.
    private func mayRetry(
        _ error: PlaybackError, attempt: Int, _ id: Int, _ loaderID: Int
    ) async -> Bool {
        guard let voice = voice(id, loaderID), error.code != .cancelled, !isShutDown else { return false }
        guard let delay = configuration.retry.delay(after: error, attempt: attempt) else {
            voice.trouble = nil
            voice.failure = error
            if voice === current { checkReady() }
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

    private func tellBandwidth() {
        guard let measured = traffic.bitsPerSecond, measured != lastMeasured else { return }
        lastMeasured = measured
        hub.send(.bandwidthMeasured(measured))
    }

    // MARK: - How much is wanted

    func wantsMore(_ voice: Voice) -> Bool {
        if voice.facts.isLive { return true }
        let policy = configuration.buffer
        guard voice.store.byteCount < policy.byteLimit else { return false }
        let wanted = policy.aheadSeconds(bitsPerSecond: traffic.bitsPerSecond)
        if voice !== upcoming { return voice.aheadSeconds < wanted }
        // Not at the cost of what is playing.
        let isCurrentServed = current.map { $0.tailTrim != nil || $0.aheadSeconds >= wanted / 2 } ?? true
        return isCurrentServed && voice.aheadSeconds < policy.preloadSeconds
    }

    /// Lets those load on who may.
    func serveDemand() {
        if let current { governor.stores(current.aheadSeconds) }
        for voice in [current, outgoing, upcoming].compactMap({ $0 }) where wantsMore(voice) {
            let waiter = voice.demand
            voice.demand = nil
            waiter?.resume()
        }
    }

    /// Whether enough is there to be heard.
    private func isReady(_ voice: Voice) -> Bool {
        if isHeldUp(voice) { return false }
        if voice.tailTrim != nil { return true }
        let ahead = voice.aheadSeconds
        guard ahead > 0 else { return false }
        if voice.failure != nil || !sink.isRealTime { return true }
        let bits = traffic.bitsPerSecond
        let wanted = configuration.buffer.startSeconds(bitsPerSecond: bits)
        // A live stream comes no faster than it is heard; what its server sends first has to do.
        return ahead >= (voice.facts.isLive ? min(wanted, 2) : wanted)
    }

    /// Goes on where enough has come; ends where nothing will.
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

    /// Goes on with the next of the queue where trying again would help nothing; ends else.
    private func passOver(_ voice: Voice, _ failure: PlaybackError) {
        let isHopeless = [.notFound, .notMP3, .unsupported, .badPlaylist, .fileUnreadable]
            .contains(failure.code)
        guard isHopeless, let index, queue.indices.contains(index + 1) else { return fail(failure) }
        hub.send(.failed(voice.entry.item, failure))
        start(index + 1, from: 0)
    }
}
