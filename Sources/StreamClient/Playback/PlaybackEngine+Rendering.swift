internal import MPEGAudio

extension PlaybackEngine {
    /// Opens the output, and begins.
    func startOutput() async {
        guard let voice = current else { return }
        if voice.store.nextFrame != nil {
            do throws(PlaybackError) {
                try await openOutput(for: voice)
            } catch {
                return fail(error)
            }
        }
        guard case .waitingForOutput(let phase) = phase else { return }
        enter(.playing(phase.outputStarted()))
        if voice === current, !voice.hasSounded { announce(voice) }
    }

    /// Has the output take the track's format, if it does not yet.
    private func openOutput(for voice: Voice) async throws(PlaybackError) {
        guard let frame = voice.store.nextFrame else { return }
        let wanted = AudioFormat(sampleRate: frame.sampleRate, channelCount: frame.channelCount)
        guard wanted != askedFormat || format == nil else { return }
        if format != nil { try await sink.drain() }
        let opened = try await sink.open(wanted)
        guard opened.sampleRate > 0, StreamTime.ticksPerSecond % opened.sampleRate == 0,
            (1...2).contains(opened.channelCount)
        else {
            throw PlaybackError(
                .outputFailed, "the output takes \(opened.sampleRate) Hz only, which is not supported")
        }
        askedFormat = wanted
        guard opened != format else { return }
        format = opened
        var mixer = Mixer(
            format: opened, rampSeconds: sink.isRealTime ? configuration.rampSeconds : 0)
        mixer.setVolume(Float(volume))
        self.mixer = mixer
    }

    /// Tells that a track begins to sound.
    func announce(_ voice: Voice) {
        voice.hasSounded = true
        guard let index, !voice.isAnnounced else { return }
        voice.isAnnounced = true
        hub.send(.itemStarted(voice.entry.item, index: index))
        hub.send(.factsChanged(voice.facts))
    }

    /// Mixes a block and hands it over.
    func playBlock() async {
        do throws(PlaybackError) {
            guard let first = current else { return stop(.endOfFile) }
            // Another format begins between two tracks, never within a mix.
            if outgoing == nil, !first.hasSounded || first.decoder == nil { try await openOutput(for: first) }
            guard case .playing = phase, let format else { return }
            var mix = try mixBlock(configuration.blockSize, format)
            guard var mixer else { return }
            let isStarving = mix.isStarving
            mixer.finish(&mix.samples, endsInSilence: isStarving || mix.isOver)
            if isStarving { mixer.beginRamp() }
            self.mixer = mixer
            if isStarving, case .playing(let phase) = phase { enter(.buffering(phase.starve())) }
            if mix.isOver { stop(.endOfFile) }
            // Whoever brings more has to get a turn even if there is nothing to write.
            if mix.samples.isEmpty { await Task.yield() } else { try await sink.write(mix.samples) }
        } catch {
            return fail(error)
        }
        if let current { trim(current) }
        considerNext()
        serveDemand()
        checkReady()
    }

    /// What was mixed.
    struct Mix {
        var samples: [Float]
        /// Whether nothing follows because nothing has come.
        var isStarving = false
        /// Whether nothing follows because all was played.
        var isOver = false
    }

    private func mixBlock(_ count: Int, _ format: AudioFormat) throws(PlaybackError) -> Mix {
        var mix = Mix(samples: [Float](repeating: 0, count: count * format.channelCount))
        var filled = 0
        while filled < count, let voice = current {
            let wanted = count - filled
            // One sample more tells whether there will be a next block.
            try voice.prepare(wanted + 1, format: format)
            try outgoing?.prepare(wanted, format: format)
            var part = wanted
            if let fading = outgoing {
                if fading.isOver(format) || fading.failure != nil && fading.needsFrames {
                    retire(fading, isComplete: fading.failure == nil)
                    outgoing = nil
                    continue
                }
                part = min(part, fading.available(format))
            } else if let start = startOfNext(voice, format) {
                if start == 0, mayOverlap {
                    overlap()
                    continue
                }
                if start > 0 { part = min(part, start) }
            }
            if isHeldUp(voice) {
                mix.isStarving = true
                break
            }
            part = min(part, voice.available(format))
            if part == 0 {
                if voice.isOver(format) {
                    guard advance() else {
                        mix.isOver = true
                        break
                    }
                    if changesFormat() { break }
                    continue
                }
                mix.isStarving = true
                break
            }
            if !voice.hasSounded { announce(voice) }
            if let fading = outgoing {
                Mixer.add(fading, count: part, to: &mix.samples, at: filled, format: format)
            }
            Mixer.add(voice, count: part, to: &mix.samples, at: filled, format: format)
            filled += part
        }
        mix.samples.removeLast((count - filled) * format.channelCount)
        if filled == count, let voice = current, voice.available(format) == 0, !voice.isOver(format),
            voice.store.isDecoded
        {
            mix.isStarving = true
        }
        return mix
    }

    /// Whether what is current now asks for another format of the output.
    private func changesFormat() -> Bool {
        guard let frame = current?.store.nextFrame else { return false }
        return AudioFormat(sampleRate: frame.sampleRate, channelCount: frame.channelCount) != askedFormat
    }

    /// Samples until the next track is to begin over this one; nil where it does not.
    private func startOfNext(_ voice: Voice, _ format: AudioFormat) -> Int? {
        guard let transitionTicks, upcoming != nil, let decoder = voice.decoder else { return nil }
        let ticksPerSample = StreamTime.ticksPerSecond / format.sampleRate
        return max(0, (transitionTicks - decoder.position + ticksPerSample / 2) / ticksPerSample)
    }

    /// Whether there is enough of the next track for it to begin.
    private var mayOverlap: Bool { upcoming.map { $0.tailTrim != nil || $0.aheadSeconds >= 1 } ?? false }

    /// Whether playback has to wait for the next track, or for the plan of how it is to begin. Where time passes it never does:
    /// what is late begins late there. A file is to come out the same every time.
    func isHeldUp(_ voice: Voice) -> Bool {
        guard !sink.isRealTime, configuration.transition != .gapless, outgoing == nil, let index,
            queue.indices.contains(index + 1), upcoming?.failure == nil
        else { return false }
        let left = voice.facts.durationSeconds.map { $0 - StreamTime.seconds(voice.position) }
        guard let left, left <= configuration.buffer.preloadLeadSeconds / 2 else { return false }
        guard isTransitionDecided else { return true }
        guard let transitionTicks, let format else { return false }
        let ticksPerSample = StreamTime.ticksPerSecond / format.sampleRate
        return voice.position + ticksPerSample / 2 >= transitionTicks && !mayOverlap
    }

    /// Lets the next track begin over the present one.
    private func overlap() {
        guard let voice = current, let next = upcoming else { return }
        outgoing = voice
        upcoming = nil
        makeCurrent(next)
    }

    /// Goes on with the next track.
    /// - Returns: false where there is none.
    private func advance() -> Bool {
        if let voice = current {
            lastPosition = StreamTime.seconds(max(0, voice.position))
            retire(voice, isComplete: true)
        }
        if let next = upcoming {
            upcoming = nil
            makeCurrent(next)
            return true
        }
        guard let index, queue.indices.contains(index + 1) else {
            current = nil
            return false
        }
        let voice = makeVoice(queue[index + 1])
        makeCurrent(voice)
        load(voice, from: voice.entry.skippedSeconds(configuration))
        return true
    }

    private func makeCurrent(_ voice: Voice) {
        current = voice
        transitionTicks = nil
        isTransitionDecided = false
        index = queue.firstIndex { $0.id == voice.entry.id } ?? index
        updateNotice()
    }

    private func retire(_ voice: Voice, isComplete: Bool) {
        voice.abandon()
        hub.send(.itemEnded(voice.entry.item, isComplete: isComplete))
    }

    /// Has what is playing fall silent over the next moment.
    func makeTail() {
        guard case .playing = phase, sink.isRealTime, let format, var mixer else { return }
        let count = Int(configuration.rampSeconds * Double(format.sampleRate))
        guard count > 0, let mixed = try? mixBlock(count, format), !mixed.samples.isEmpty else { return }
        var mix = mixed
        mixer.finish(&mix.samples, endsInSilence: true)
        self.mixer = mixer
        tail = mix.samples
    }

    /// Waits until what was written is heard.
    func finishStopping() async {
        do throws(PlaybackError) {
            try await sink.drain()
        } catch {
            // It ends anyway.
        }
        guard case .stopping(let phase) = phase else { return }
        enter(.stopped(phase.finished()))
    }
}
