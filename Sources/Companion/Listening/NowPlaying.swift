/// What players play at the moment; forgotten when the host ends.
struct NowPlaying {
    /// Players that are remembered.
    static let capacity = 100
    /// How long a track of unknown length is taken to play, in seconds.
    static let standardSeconds = 600.0
    /// How long a player may pause and still be playing, in seconds.
    static let graceSeconds = 120.0

    struct Entry {
        var trackID: Int
        var startedAt: Double
        var receivedAt: Double
    }

    /// By the players' names.
    private(set) var entries: [String: Entry] = [:]

    mutating func began(_ client: String, _ entry: Entry) {
        // What a player tells late is no news.
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
