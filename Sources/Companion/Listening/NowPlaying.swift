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
    }

    /// By player name.
    private(set) var entries: [String: Entry] = [:]

    mutating func began(_ client: String, _ entry: Entry) {
        // Ignore reports that arrive late.
        if let old = entries[client], old.startedAt > entry.startedAt { return }
        entries[client] = entry
        if entries.count > Self.capacity,
            let oldest = entries.min(by: { $0.value.receivedAt < $1.value.receivedAt })
        {
            entries[oldest.key] = nil
        }
    }

    mutating func ended(_ client: String, _ trackID: Int, at time: Double) {
        if let entry = entries[client], entry.trackID == trackID, entry.startedAt <= time {
            entries[client] = nil
        }
    }

    mutating func forget(_ client: String) { entries[client] = nil }
}
