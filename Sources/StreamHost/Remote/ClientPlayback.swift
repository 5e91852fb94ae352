internal import MusicShared

/// What a client plays, worked out from its commands.
struct ClientPlayback {
    /// The most tracks of a queue that are kept in mind.
    static let longestQueue = 100_000

    private var state = PlaybackState()
    private var queue: [Int] = []
    /// When `state.position` was true, in seconds of a steady clock.
    private var time = 0.0

    /// The state at a time, at which playing has gone on.
    func state(at now: Double) -> PlaybackState {
        var state = state
        if state.isPlaying { state.position += max(0, now - time) }
        return state
    }

    /// Takes a command in.
    /// - Returns: what is wrong with it, where it cannot be; the state is as it was then.
    mutating func apply(_ command: RemoteCommand, at now: Double) -> String? {
        switch command {
        case .play(let track, let tracks):
            guard tracks.count <= Self.longestQueue else {
                return "A queue has at most \(Self.longestQueue) tracks."
            }
            queue = tracks
            start(track, at: now)
        case .pause: move(to: state(at: now).position, isPlaying: false, at: now)
        case .resume:
            guard state.trackId != nil else { return "There is nothing to resume: play comes first." }
            move(to: state(at: now).position, isPlaying: true, at: now)
        case .next: step(by: 1, at: now)
        case .previous: step(by: -1, at: now)
        case .seek(let position):
            guard position >= 0, position.isFinite else {
                return "A position is a number of seconds from 0 on."
            }
            move(to: position, isPlaying: state.isPlaying, at: now)
        case .setVolume(let level):
            guard (0...1).contains(level) else { return "A volume lies between 0 and 1." }
            state.volume = level
        case .toggleShuffle: state.isShuffled.toggle()
        case .refreshDB: break
        }
        return nil
    }

    private mutating func start(_ track: Int?, at now: Double) {
        state.trackId = track
        move(to: 0, isPlaying: track != nil, at: now)
    }

    private mutating func move(to position: Double, isPlaying: Bool, at now: Double) {
        state.position = position
        state.isPlaying = isPlaying
        time = now
    }

    private mutating func step(by offset: Int, at now: Double) {
        // Which track a shuffled client takes, only its next play tells.
        guard !state.isShuffled, let track = state.trackId, let place = queue.firstIndex(of: track),
            queue.indices.contains(place + offset)
        else { return start(nil, at: now) }
        start(queue[place + offset], at: now)
    }
}
