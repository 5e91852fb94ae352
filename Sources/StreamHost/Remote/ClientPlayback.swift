internal import MusicShared

/// A client's playback state, derived from its commands.
struct ClientPlayback {
    /// Maximum number of tracks in a tracked queue.
    static let longestQueue = 100_000

    private var state = PlaybackState()
    private var queue: [Int] = []
    /// Time at which `state.position` was measured, in seconds of a monotonic clock.
    private var time = 0.0

    /// Returns the state at a time, extrapolating the position while playing.
    func state(at now: Double) -> PlaybackState {
        var state = state
        if state.isPlaying { state.position += max(0, now - time) }
        return state
    }

    /// Applies a command.
    /// - Returns: An error message if the command is invalid; the state is then unchanged.
    mutating func apply(_ command: RemoteCommand, at now: Double) -> String? {
        switch command {
        case .play(let track, let tracks):
            guard tracks.count <= Self.longestQueue else {
                return "A queue can have at most \(Self.longestQueue) tracks."
            }
            queue = tracks
            start(track, at: now)
        case .pause: move(to: state(at: now).position, isPlaying: false, at: now)
        case .resume:
            guard state.trackID != nil else { return "There is nothing to resume; send play first." }
            move(to: state(at: now).position, isPlaying: true, at: now)
        case .next: step(by: 1, at: now)
        case .previous: step(by: -1, at: now)
        case .seek(let position):
            guard position >= 0, position.isFinite else {
                return "The position must be a non-negative number of seconds."
            }
            move(to: position, isPlaying: state.isPlaying, at: now)
        case .setVolume(let level):
            guard (0...1).contains(level) else { return "The volume must be between 0 and 1." }
            state.volume = level
        case .toggleShuffle: state.isShuffled.toggle()
        case .refreshDB: break
        }
        return nil
    }

    private mutating func start(_ track: Int?, at now: Double) {
        state.trackID = track
        move(to: 0, isPlaying: track != nil, at: now)
    }

    private mutating func move(to position: Double, isPlaying: Bool, at now: Double) {
        state.position = position
        state.isPlaying = isPlaying
        time = now
    }

    private mutating func step(by offset: Int, at now: Double) {
        // A shuffled client's next track is unknown until it sends play.
        guard !state.isShuffled, let track = state.trackID, let place = queue.firstIndex(of: track),
            queue.indices.contains(place + offset)
        else { return start(nil, at: now) }
        start(queue[place + offset], at: now)
    }
}
