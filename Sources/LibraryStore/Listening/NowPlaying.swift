internal import Foundation

/// The tracks that players are playing now; not kept when the host stops.
struct NowPlaying {
    /// Maximum number of players in the list.
    static let capacity = 100
    /// Assumed duration of a track of unknown length, in seconds.
    static let standardSeconds = 600.0
    /// Seconds beyond the track's end, for pauses, after which it no longer counts as playing.
    static let graceSeconds = 120.0

    struct Entry {
        var trackID: Int
        var startedAt: Double
        var receivedAt: Double
        /// The player's reports about it; nil for a player that only announces tracks.
        var session: PlaybackSession?
    }

    /// By player name.
    private(set) var entries: [String: Entry] = [:]

    mutating func began(_ client: String, _ entry: Entry) {
        // Ignore reports that arrive late.
        if let old = entries[client], old.startedAt > entry.startedAt { return }
        // A player that reports its state, too, is already known better.
        if let old = entries[client], old.trackID == entry.trackID, old.session != nil { return }
        set(client, entry)
    }

    private mutating func set(_ client: String, _ entry: Entry) {
        entries[client] = entry
        if entries.count > Self.capacity,
            let oldest = entries.min(by: { $0.value.receivedAt < $1.value.receivedAt })
        {
            entries[oldest.key] = nil
        }
    }

    /// Takes a player's report.
    /// - Parameter length: the length of the track in seconds.
    /// - Returns: the session that it ends, if any.
    mutating func take(
        _ report: PlaybackReport, of length: Double, _ client: String, at now: Date
    ) -> PlaybackSession? {
        var ended: PlaybackSession?
        if var session = entries[client]?.session, !session.isOver(at: now) {
            if session.report.trackID == report.trackID, report.state != .starting {
                session.take(report, at: now)
                entries[client]?.session = session
                guard report.state == .stopped else { return nil }
            } else {
                // Another track, or the same one again, from its start.
                var last = session.report
                last.state = .stopped
                session.take(last, at: now)
            }
            ended = session
        }
        if report.state == .stopped {
            if entries[client]?.trackID == report.trackID { entries[client] = nil }
        } else {
            let seconds = now.timeIntervalSince1970
            set(
                client,
                Entry(
                    trackID: report.trackID, startedAt: seconds, receivedAt: seconds,
                    session: PlaybackSession(report, of: length, at: now)))
        }
        return ended
    }

    mutating func ended(_ client: String, _ trackID: Int, at time: Double) {
        if let entry = entries[client], entry.trackID == trackID, entry.startedAt <= time {
            entries[client] = nil
        }
    }

    mutating func forget(_ client: String) { entries[client] = nil }
}
