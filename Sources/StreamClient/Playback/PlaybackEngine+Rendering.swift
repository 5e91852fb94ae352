internal import MPEGAudio

extension PlaybackEngine {
    /// Opens the output and starts playback.
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

    /// Opens the output with the track's format, unless it already has it.
    private func openOutput(for voice: Voice) async throws(PlaybackError) {
        guard let frame = voice.store.nextFrame else { return }
        let wanted = frame.outputFormat
        guard wanted != askedFormat || format == nil else { return }
        if format != nil { try await sink.drain() }
        let opened = try await sink.open(wanted)
        guard opened.sampleRate > 0, StreamTime.ticksPerSecond % opened.sampleRate == 0,
            (1...2).contains(opened.channelCount)
        else {
            throw PlaybackError(
                .outputFailed, "the output only supports \(opened.sampleRate) Hz, which cannot be used")
        }
        askedFormat = wanted
        guard opened != format else { return }
        format = opened
        var mixer = Mixer(
            format: opened, rampSeconds: sink.isRealTime ? configuration.rampSeconds : 0)
        mixer.setVolume(Float(volume))
        self.mixer = mixer
    }

    /// Reports that a track has started.
    func announce(_ voice: Voice) {
        voice.hasSounded = true
        guard let index, !voice.isAnnounced else { return }
        voice.isAnnounced = true
        hub.send(.itemStarted(voice.entry.item, index: index))
        hub.send(.factsChanged(voice.facts))
        if let title = voice.title { announce(title) }
    }

    /// Mixes a block and writes it to the output.
    func playBlock() async {
        do throws(PlaybackError) {
            guard let first = current else { return stop(.endOfFile) }
            // The format may change between two tracks, but not within a mix.
            if outgoing == nil, !first.hasSounded || first.decoder == nil { try await openOutput(for: first) }
            guard case .playing(let playing) = phase else { return }
            if let format {
                var mix = try mixBlock(configuration.blockSize, format)
                guard var mixer else { return }
                let isStarving = mix.isStarving
                mixer.finish(&mix.samples, endsInSilence: isStarving && sink.hearsGaps)
                if isStarving, sink.hearsGaps { mixer.beginRamp() }
                self.mixer = mixer
                if isStarving, case .playing(let phase) = phase { enter(.buffering(phase.starve())) }
                if mix.isOver { stop(.endOfFile) }
                // Let the loaders run even if there is nothing to write.
                if mix.samples.isEmpty { await Task.yield() } else { try await sink.write(mix.samples) }
            } else if first.tailTrim == nil {
                enter(.buffering(playing.starve()))
            } else {
                // Seeked to the end before anything was decoded: no frame determines a format for the output.
                if !advance() { stop(.endOfFile) }
                await Task.yield()
            }
        } catch {
            return fail(error)
        }
        if let current { trim(current) }
        considerNext()
        serveDemand()
        checkReady()
    }

    /// A mixed block.
    struct Mix {
        var samples: [Float]
        /// Whether the block is short because data is missing.
        var isStarving = false
        /// Whether the block is short because the queue has ended.
        var isOver = false
    }

    private func mixBlock(_ count: Int, _ format: AudioFormat) throws(PlaybackError) -> Mix {
        var mix = Mix(samples: [Float](repeating: 0, count: count * format.channelCount))
        var filled = 0
        while filled < count, let voice = current {
            let wanted = count - filled
            // One extra sample shows whether there will be another block.
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

    /// Whether the current track requires a different output format.
    private func changesFormat() -> Bool {
        guard let frame = current?.store.nextFrame else { return false }
        return frame.outputFormat != askedFormat
    }

    /// Number of samples until the next track starts to overlap this one; nil if it does not.
    private func startOfNext(_ voice: Voice, _ format: AudioFormat) -> Int? {
        guard let transitionTicks, upcoming != nil, voice.decoder != nil else { return nil }
        let ticksPerSample = StreamTime.ticksPerSecond / format.sampleRate
        return max(0, (transitionTicks - voice.position + ticksPerSample / 2) / ticksPerSample)
    }

    /// Whether enough of the next track is buffered to start the overlap.
    private var mayOverlap: Bool { upcoming.map { $0.tailTrim != nil || $0.aheadSeconds >= 1 } ?? false }

    /// Whether playback must wait for the next track or its transition plan. Never in real time, where a late track starts
    /// late; a rendered file must come out the same every time.
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

    /// Starts the next track over the current one.
    private func overlap() {
        guard let voice = current, let next = upcoming else { return }
        // A mix that starts late starts in its middle, so that the beats keep together.
        if let transitionTicks, let format {
            let samples = [voice.position, transitionTicks].map { ticks in
                let ticksPerSample = StreamTime.ticksPerSecond / format.sampleRate
                return (ticks + ticksPerSample / 2) / ticksPerSample
            }
            next.enterMix(elapsedSeconds: Double(samples[0] - samples[1]) / Double(format.sampleRate))
        }
        outgoing = voice
        upcoming = nil
        makeCurrent(next)
    }

    /// Moves on to the next track.
    /// - Returns: false at the end of the queue.
    private func advance() -> Bool {
        let former = current
        if let voice = former {
            lastPosition = StreamTime.seconds(max(0, voice.position))
            retire(voice, isComplete: true)
        }
        if let next = upcoming {
            next.leaveMix()
            upcoming = nil
            makeCurrent(next)
            return true
        }
        guard let index, queue.indices.contains(index + 1) else {
            current = nil
            return false
        }
        let voice = makeVoice(queue[index + 1], after: former)
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

    /// Prepares a ramp to silence from the current position.
    func makeTail() {
        guard case .playing = phase, sink.isRealTime, let format, var mixer else { return }
        let count = Int(configuration.rampSeconds * Double(format.sampleRate))
        guard count > 0, let mixed = try? mixBlock(count, format), !mixed.samples.isEmpty else { return }
        var mix = mixed
        mixer.finish(&mix.samples, endsInSilence: true)
        self.mixer = mixer
        tail = mix.samples
    }

    /// Waits until everything written has been played.
    func finishStopping() async {
        do throws(PlaybackError) {
            try await sink.drain()
        } catch {
            // Playback stops in any case.
        }
        guard case .stopping(let phase) = phase else { return }
        enter(.stopped(phase.finished()))
    }
}
