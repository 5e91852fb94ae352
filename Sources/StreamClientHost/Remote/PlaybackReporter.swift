public import StreamClient
internal import MusicShared

/// Reports an engine's playback to the host: the current status over the remote channel, and played tracks to the listening
/// history.
///
/// ``run()`` consumes the channel's events, so nothing else may. After a reconnect, it makes the engine retry failed
/// requests.
public actor PlaybackReporter {
    private enum Input: Sendable {
        case playback(PlaybackEvent)
        case channel(RemoteChannel.Event)
        case tick
        case channelEnded
        case end
    }

    /// The current item, and how much of it has been heard.
    private struct Heard {
        let item: PlayableItem
        let index: Int
        /// Counts item starts, since the same track may play twice in a row.
        let number: Int
        var seconds = 0.0
        var position = 0.0
        var time = ContinuousClock.now
        var isCounted = false
    }

    /// The status last sent to the host.
    private struct SentStatus {
        var number = 0
        var isPlaying = false
        var position = 0.0
        var time = ContinuousClock.now
        var volume: Double?
    }

    /// A track counts as played after this share of its duration, or after ``enoughSeconds``.
    private static let enoughShare = 0.5
    private static let enoughSeconds = 240.0
    /// Maximum number of queue tracks that are reported, around the current one.
    private static let longestQueue = 1000
    /// A position that deviates by more than this many seconds from normal playback is treated as a seek.
    private static let jumpSeconds = 1.0
    private static let tick = Duration.milliseconds(250)
    /// Seconds between attempts to send queued actions.
    private static let flushSeconds = 15.0

    private let engine: PlaybackEngine
    private let channel: RemoteChannel
    private let outbox: ListeningOutbox?
    private let complain: @Sendable (String) -> Void
    private let events: AsyncStream<PlaybackEvent>

    private var heard: Heard?
    private var startCount = 0
    private var sent = SentStatus()
    private var isConnected = false
    private var wasConnected = false
    private var isOver = false
    private var lastFlush = ContinuousClock.now

    /// - Parameters:
    ///   - channel: the remote channel, not yet running.
    ///   - outbox: the queue for the listening history; nil to record nothing.
    ///   - complain: receives error messages from the host, for display.
    public init(
        _ engine: PlaybackEngine, to channel: RemoteChannel, outbox: ListeningOutbox? = nil,
        complain: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.engine = engine
        self.channel = channel
        // Audio rendered to a file is not listened to.
        self.outbox = engine.isRealTime ? outbox : nil
        self.complain = complain
        events = engine.events()
    }

    /// Whether the connection to the host was lost and is being re-established.
    public var isReconnecting: Bool { !isConnected && !isOver }

    /// Reports until the engine is shut down or the task is cancelled.
    public func run() async {
        let (inputs, inlet) = AsyncStream.makeStream(of: Input.self)
        let (channel, events) = (channel, events)
        let tasks = [
            Task {
                for await event in events { inlet.yield(.playback(event)) }
                inlet.yield(.end)
            },
            Task { for await event in channel.events { inlet.yield(.channel(event)) } },
            Task {
                try? await channel.run()
                inlet.yield(.channelEnded)
            },
            Task {
                while (try? await Task.sleep(for: Self.tick)) != nil { inlet.yield(.tick) }
            },
        ]
        for await input in inputs {
            if case .end = input { break }
            await take(input)
        }
        for task in tasks { task.cancel() }
    }

    private func take(_ input: Input) async {
        switch input {
        case .playback(let event): await take(event)
        case .channel(let event): await take(event)
        case .channelEnded:
            isConnected = false
            isOver = true
        case .tick:
            await listen()
            await sendStatus()
            if ContinuousClock.now - lastFlush > .seconds(Self.flushSeconds) { flush() }
        case .end: break
        }
    }

    private func take(_ event: PlaybackEvent) async {
        switch event {
        case .itemStarted(let item, let index):
            startCount += 1
            heard = Heard(item: item, index: index, number: startCount)
            if let id = item.trackID, let outbox {
                var action = ListeningAction(.nowPlaying)
                action.trackID = id
                let begun = action
                Task { await outbox.sendOnce(begun) }
            }
            await sendStatus()
        case .itemEnded(let item, isComplete: true) where item.id == heard?.item.id:
            if let duration = item.durationSeconds { advance(to: duration) }
            count(duration: item.durationSeconds)
        case .stateChanged:
            await listen()
            await sendStatus()
        default: break
        }
    }

    private func take(_ event: RemoteChannel.Event) async {
        switch event {
        case .connected:
            isConnected = true
            // The host discards a client's state when its connection closes.
            sent = SentStatus()
            await sendStatus()
            flush()
            if wasConnected { await engine.connectionRestored() }
            wasConnected = true
        case .disconnected:
            isConnected = false
            // Set after a failed first attempt as well: playback may have failed for the same reason.
            wasConnected = true
        case .host(.error(let message)): complain(message)
        case .host: break
        }
    }

    private func flush() {
        lastFlush = .now
        guard let outbox else { return }
        Task { await outbox.flush() }
    }

    // MARK: - The remote channel

    private func sendStatus() async {
        guard isConnected else { return }
        let now = await engine.snapshot()
        let isPlaying = now.state == .playing
        var commands: [RemoteCommand] = []
        if let heard, isPlaying, sent.number != heard.number {
            if let id = heard.item.trackID {
                commands.append(.play(trackID: id, queueIDs: Self.tracks(around: heard.index, now.queue)))
                if now.positionSeconds > 0.5 { commands.append(.seek(position: now.positionSeconds)) }
            } else if sent.isPlaying {
                commands.append(.pause)
            }
            (sent.number, sent.isPlaying) = (heard.number, heard.item.trackID != nil)
            mark(now)
        } else if let heard, sent.number == heard.number, heard.item.trackID != nil {
            let passed = sent.isPlaying ? (ContinuousClock.now - sent.time) / .seconds(1) : 0
            if isPlaying != sent.isPlaying {
                commands.append(isPlaying ? .resume : .pause)
                sent.isPlaying = isPlaying
            }
            // Between two tracks the snapshot may be ahead of the event.
            if now.index == heard.index {
                if abs(now.positionSeconds - sent.position - passed) > Self.jumpSeconds {
                    commands.append(.seek(position: now.positionSeconds))
                }
                mark(now)
            }
        }
        if sent.volume != now.volume {
            commands.append(.setVolume(level: now.volume))
            sent.volume = now.volume
        }
        for command in commands { try? await channel.send(command) }
    }

    private func mark(_ now: PlaybackSnapshot) {
        sent.position = now.positionSeconds
        sent.time = .now
    }

    private static func tracks(around index: Int, _ queue: [PlayableItem]) -> [Int] {
        let first = max(0, index - longestQueue / 2)
        return queue.dropFirst(first).prefix(longestQueue).compactMap(\.trackID)
    }

    // MARK: - The listening history

    private func listen() async {
        guard let heard, !heard.isCounted else { return }
        let now = await engine.snapshot()
        guard now.index == heard.index, now.item?.id == heard.item.id else { return }
        advance(to: now.positionSeconds)
        count(duration: now.durationSeconds)
    }

    /// Adds up the time heard: steps longer than the elapsed time are seeks and do not count.
    private func advance(to position: Double) {
        guard let last = heard else { return }
        let (step, passed) = (position - last.position, (ContinuousClock.now - last.time) / .seconds(1))
        if step > 0, step < passed + 0.5 { heard?.seconds += step }
        heard?.position = position
        heard?.time = .now
    }

    private func count(duration: Double?) {
        guard let outbox, let now = heard, !now.isCounted, let id = now.item.trackID, let duration,
            duration > 0, now.seconds >= min(duration * Self.enoughShare, Self.enoughSeconds)
        else { return }
        heard?.isCounted = true
        var action = ListeningAction(.play)
        action.trackID = id
        action.secondsPlayed = (now.seconds * 10).rounded() / 10
        let play = action
        Task { await outbox.send(play) }
    }
}
