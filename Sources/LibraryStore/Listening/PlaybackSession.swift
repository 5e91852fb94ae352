package import Foundation

/// A player's report about a track that it plays.
package struct PlaybackReport: Sendable, Equatable {
    /// State of a player.
    package enum State: String, Sendable, CaseIterable {
        /// It begins a track, and may still be loading it.
        case starting
        /// It plays.
        case playing
        /// It is paused.
        case paused
        /// It has ended or left the track.
        case stopped
    }

    /// The track.
    package var trackID: Int
    /// The state.
    package var state: State
    /// Position in the track, in seconds.
    package var positionSeconds: Double
    /// Speed; 1 is the original one.
    package var rate: Double
    /// Whether the track does not count as played, however long it plays.
    package var isUncounted: Bool

    /// Memberwise initializer.
    package init(trackID: Int, state: State, positionSeconds: Double, rate: Double, isUncounted: Bool) {
        self.trackID = trackID
        self.state = state
        self.positionSeconds = positionSeconds
        self.rate = rate
        self.isUncounted = isUncounted
    }
}

/// A track that a player plays, from its start to its end, as far as the player reports it.
package struct PlaybackSession: Sendable, Equatable {
    /// The least time that counts as a play, in seconds, unless half of the track is shorter.
    private static let countedSeconds = 240.0
    /// How long after its planned end a session is kept, in seconds.
    private static let graceSeconds = 1800.0

    /// Length of the track in seconds.
    package let length: Double
    /// The last report.
    package private(set) var report: PlaybackReport
    /// When the session began.
    package let startedAt: Date
    /// When the last report came.
    package private(set) var reportedAt: Date
    /// How much of the track has been played, in seconds of the track.
    package private(set) var playedSeconds = 0.0

    init(_ report: PlaybackReport, of length: Double, at now: Date) {
        self.report = report
        self.length = length
        startedAt = now
        reportedAt = now
    }

    /// Continues with the next report of the same track.
    mutating func take(_ report: PlaybackReport, at now: Date) {
        playedSeconds = min(length, playedSeconds + advance(until: now))
        self.report = report
        reportedAt = now
    }

    /// The position at a time, in seconds: that of the last report, and what has been played since.
    package func position(at now: Date) -> Double {
        min(length, report.positionSeconds + advance(until: now))
    }

    /// Whether enough of the track has been played for the history: half of it, or four minutes.
    var isPlay: Bool {
        !report.isUncounted && playedSeconds >= min(length / 2, Self.countedSeconds)
    }

    /// Whether the player is silent for so long that it must be gone.
    func isOver(at now: Date) -> Bool {
        let left = max(0, length - report.positionSeconds) / report.rate
        return now.timeIntervalSince(reportedAt) > left + Self.graceSeconds
    }

    private func advance(until now: Date) -> Double {
        report.state == .playing ? max(0, now.timeIntervalSince(reportedAt)) * report.rate : 0
    }
}
