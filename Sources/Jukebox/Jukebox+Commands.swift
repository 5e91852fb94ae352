package import MusicShared
internal import StreamClient

extension Jukebox {
    /// Changes what the jukebox does.
    /// - Parameter accountID: the account that the command comes from.
    /// - Throws: `JukeboxError`.
    package func change(_ patch: JukeboxPatch, by accountID: Int) async throws {
        try await command { jukebox in
            if let volume = patch.volume { await jukebox.engine.setVolume(volume) }
            let now = await jukebox.engine.snapshot()
            let isPlaying = patch.isPlaying ?? now.state.isOn
            if let index = patch.index {
                guard now.queue.indices.contains(index) else { throw JukeboxError.badIndex(index, now) }
                await jukebox.go(to: index, of: now.queue, patch.positionSeconds ?? 0, isPlaying: isPlaying)
            } else {
                if let position = patch.positionSeconds { await jukebox.seek(to: position, now) }
                switch patch.isPlaying {
                case true: await jukebox.start()
                case false: await jukebox.engine.pause()
                case nil: break
                }
            }
            if patch.isPlaying == true || patch.index != nil { jukebox.accountID = accountID }
        }
    }

    /// Replaces the queue.
    /// - Throws: `JukeboxError`.
    package func setQueue(_ queue: JukeboxQueue, revision: Int? = nil, by accountID: Int) async throws {
        try await command { jukebox in
            try jukebox.check(revision)
            let items = try jukebox.items(queue.trackIDs)
            let now = await jukebox.engine.snapshot()
            let isPlaying = queue.isPlaying ?? now.state.isOn
            if isPlaying { jukebox.accountID = accountID }
            guard !items.isEmpty else { return await jukebox.engine.clear() }
            if let index = queue.index {
                guard items.indices.contains(index) else { throw JukeboxError.badIndex(index, now) }
                await jukebox.go(to: index, of: items, queue.positionSeconds ?? 0, isPlaying: isPlaying)
            } else {
                let place = jukebox.place(of: now, in: items)
                if let place, await jukebox.engine.replaceQueue(items, keepingCurrentAt: place) {
                    if isPlaying { await jukebox.start() } else { await jukebox.engine.pause() }
                } else {
                    // The playing track is not in the new queue: nothing may start by itself.
                    await jukebox.go(to: 0, of: items, 0, isPlaying: queue.isPlaying ?? false)
                }
            }
        }
    }

    /// Inserts tracks; appends them without a position.
    /// - Throws: `JukeboxError`.
    package func add(_ trackIDs: [Int], at position: Int? = nil, revision: Int? = nil) async throws {
        try await command { jukebox in
            try jukebox.check(revision)
            let now = await jukebox.engine.snapshot()
            let items = try jukebox.items(trackIDs, besides: now.queue.count)
            let place = position ?? now.queue.count
            guard (0...now.queue.count).contains(place) else { throw JukeboxError.badIndex(place, now) }
            guard !items.isEmpty else { return }
            if now.queue.isEmpty {
                await jukebox.engine.prepare(items)
            } else {
                await jukebox.engine.insert(items, at: place)
            }
        }
    }

    /// Removes a track from the queue. If it is the current one, the next one takes its place.
    /// - Throws: `JukeboxError`.
    package func remove(at position: Int, revision: Int? = nil) async throws {
        try await command { jukebox in
            try jukebox.check(revision)
            let now = await jukebox.engine.snapshot()
            guard now.queue.indices.contains(position) else { throw JukeboxError.badIndex(position, now) }
            guard position == now.index else { return await jukebox.engine.remove(at: position) }
            var items = now.queue
            items.remove(at: position)
            guard !items.isEmpty else { return await jukebox.engine.clear() }
            let isLast = position == items.count
            await jukebox.go(
                to: isLast ? position - 1 : position, of: items, 0, isPlaying: now.state.isOn && !isLast)
        }
    }

    /// Moves a track within the queue; playback continues.
    /// - Throws: `JukeboxError`.
    package func move(from position: Int, to target: Int, revision: Int? = nil) async throws {
        try await command { jukebox in
            try jukebox.check(revision)
            let now = await jukebox.engine.snapshot()
            for each in [position, target] where !now.queue.indices.contains(each) {
                throw JukeboxError.badIndex(each, now)
            }
            await jukebox.engine.move(from: position, to: target)
        }
    }

    /// Shuffles the queue: the current track comes first and continues.
    package func shuffle() async throws {
        try await command { jukebox in
            let now = await jukebox.engine.snapshot()
            guard let index = now.index, now.queue.count > 1 else { return }
            var others = now.queue
            let current = others.remove(at: index)
            others.shuffle()
            _ = await jukebox.engine.replaceQueue([current] + others, keepingCurrentAt: 0)
        }
    }

    // MARK: - Steps

    private func check(_ revision: Int?) throws(JukeboxError) {
        guard let revision, revision != self.revision else { return }
        throw JukeboxError(
            .changedMeanwhile, "The queue has changed since revision \(revision); get it again.")
    }

    /// The place of the current track in a new queue: the same place if it is there, otherwise the first one.
    private func place(of now: PlaybackSnapshot, in items: [PlayableItem]) -> Int? {
        guard let index = now.index, let current = now.item else { return nil }
        if items.indices.contains(index), items[index].id == current.id { return index }
        return items.firstIndex { $0.id == current.id }
    }

    private func go(to index: Int, of items: [PlayableItem], _ seconds: Double, isPlaying: Bool) async {
        if isPlaying {
            await engine.play(items, startingAt: index, from: seconds)
        } else {
            await engine.prepare(items, startingAt: index, from: seconds)
        }
    }

    private func seek(to seconds: Double, _ now: PlaybackSnapshot) async {
        // Stopped, also when it is about to be.
        if !now.state.isOn, now.state != .paused, let index = now.index {
            await engine.prepare(now.queue, startingAt: index, from: seconds)
        } else {
            await engine.seek(to: seconds)
        }
    }

    /// Starts or resumes playback. At the end of the queue, it begins again.
    private func start() async {
        let now = await engine.snapshot()
        switch now.state {
        case .paused: await engine.resume()
        case .stopped(.endOfFile), .stopping(.endOfFile): await engine.play(now.queue)
        case .stopped, .stopping:
            guard let index = now.index else { return }
            await engine.play(now.queue, startingAt: index, from: now.positionSeconds)
        default: break
        }
    }
}

extension JukeboxError {
    fileprivate static func badIndex(_ index: Int, _ now: PlaybackSnapshot) -> JukeboxError {
        JukeboxError(
            .badPosition,
            now.queue.isEmpty
                ? "The queue is empty: it has no position \(index)."
                : "The queue has no position \(index): it has \(now.queue.count) tracks, counted from 0.")
    }
}
