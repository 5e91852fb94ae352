internal import MPEGAudio
internal import MusicShared

extension PlaybackEngine {
    /// Starts preloading the next track when it is due.
    func considerNext() {
        guard upcoming == nil, outgoing == nil, let voice = current, let index, voice.isOpened,
            queue.indices.contains(index + 1), !isShutDown
        else { return }
        let left = voice.facts.durationSeconds.map { $0 - StreamTime.seconds(voice.position) } ?? .infinity
        guard voice.tailTrim != nil || left <= configuration.buffer.preloadLeadSeconds else { return }
        let next = makeVoice(queue[index + 1], after: voice)
        upcoming = next
        prepareTransition(from: voice, to: next)
    }

    /// Replaces the preloaded track if a queue edit has changed what comes next.
    func reconsiderNext() {
        if let upcoming, let index, queue.indices.contains(index + 1),
            queue[index + 1].id == upcoming.entry.id
        {
            return
        }
        upcoming?.abandon()
        upcoming = nil
        transitionTicks = nil
        isTransitionDecided = false
        if let current, outgoing == nil {
            current.envelopes = []
            current.shelves = []
            current.endTicks = nil
        }
        considerNext()
    }

    private func prepareTransition(from: Voice, to: Voice) {
        switch configuration.transition {
        case .gapless: load(to, from: to.entry.skippedSeconds(configuration))
        case .crossfade(let seconds):
            crossfade(from, to, seconds)
            isTransitionDecided = true
            load(to, from: to.entry.skippedSeconds(configuration))
        case .planned:
            guard let planner else {
                isTransitionDecided = true
                return load(to, from: 0)
            }
            let items = (from.entry.item, to.entry.item)
            let ids = (from.id, to.id)
            Task(executorPreference: configuration.executor) { [weak self] in
                let plan = await planner.plan(from: items.0, to: items.1)
                await self?.follow(plan, ids)
            }
        }
    }

    /// Applies a transition plan.
    private func follow(_ plan: CrossfadePlan?, _ ids: (from: Int, to: Int)) {
        guard let next = upcoming, next.id == ids.to else { return }
        isTransitionDecided = true
        defer {
            checkReady()
            wake()
        }
        guard let plan, plan.transition != .gapless, let voice = current, voice.id == ids.from else {
            return load(next, from: 0)
        }
        voice.endTicks = Self.ticks(plan.endSeconds)
        if plan.transition == .mix { return mix(voice, next, plan) }
        if plan.transition == .overlap {
            transitionTicks = Self.ticks(plan.startSeconds)
            if let fade = plan.outgoing.fade { voice.envelopes.append(.planned(fade)) }
            if let fade = plan.incoming.fade { next.envelopes.append(.planned(fade)) }
        }
        load(next, from: plan.cueInSeconds)
    }

    /// Applies the plan of a mix.
    private func mix(_ voice: Voice, _ next: Voice, _ plan: CrossfadePlan) {
        transitionTicks = Self.ticks(plan.startSeconds)
        let power = Envelope.power(of: (voice.peak, next.peak))
        if let fade = plan.outgoing.fade { voice.envelopes.append(.planned(fade, power: power)) }
        if let fade = plan.incoming.fade { next.envelopes.append(.planned(fade, power: power)) }
        if let bass = plan.outgoing.bass { voice.shelves.append(VoiceShelf(bass, isIncoming: false)) }
        if let bass = plan.incoming.bass { next.shelves.append(VoiceShelf(bass, isIncoming: true)) }
        next.mix = MixEntry(SpeedCurve(plan))
        // The first window begins before the entry.
        load(next, from: max(0, plan.cueInSeconds - Self.mixLeadSeconds))
    }

    /// Audio that a mix needs before the entry, in seconds.
    private static let mixLeadSeconds = 0.1

    /// Adds an equal-power crossfade between two tracks.
    private func crossfade(_ voice: Voice, _ next: Voice, _ seconds: Double) {
        guard let duration = voice.facts.durationSeconds, seconds > 0 else { return }
        let other = next.entry.item.durationSeconds ?? duration
        let length = min(seconds, duration / 2, other / 2)
        let start = duration - length
        transitionTicks = Self.ticks(start)
        voice.envelopes.append(.falling(start: start, seconds: length))
        next.envelopes.append(
            .rising(start: next.entry.skippedSeconds(configuration), seconds: length))
    }

    private static func ticks(_ seconds: Double) -> Int { Int(seconds * Double(StreamTime.ticksPerSecond)) }
}
