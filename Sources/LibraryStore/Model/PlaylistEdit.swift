package import MusicShared

/// A change to a playlist.
package enum PlaylistEdit: Sendable, Equatable {
    /// Changes the name.
    case rename(String)
    /// Changes or removes the description.
    case describe(String?)
    /// Shows it to all accounts, or to its owner only.
    case publish(Bool)
    /// Changes the rules of a smart playlist.
    case setRules(SmartRules)
    /// Replaces the tracks, in this order.
    case replace([Int])
    /// Inserts tracks before a position, or at the end.
    case insert([Int], at: Int?)
    /// Moves the entry at a position; `to` is its position after the move.
    case move(from: Int, to: Int)
    /// Removes the entry at a position.
    case remove(at: Int)

    /// Returns the tracks after the change.
    /// - Throws: `badPosition` if the position is out of range.
    func applied(to tracks: [Int]) throws(StoreError) -> [Int] {
        var tracks = tracks
        func check(_ position: Int, _ places: Range<Int>) throws(StoreError) {
            guard places.contains(position) else {
                throw StoreError(
                    .badPosition,
                    "Position \(position) is out of range: it must be in 0..<\(places.count).")
            }
        }
        switch self {
        case .rename, .describe, .publish, .setRules: break
        case .replace(let others): tracks = others
        case .insert(let others, let position):
            let position = position ?? tracks.count
            try check(position, 0..<tracks.count + 1)
            tracks.insert(contentsOf: others, at: position)
        case .move(let from, let to):
            try check(from, tracks.indices)
            try check(to, tracks.indices)
            tracks.insert(tracks.remove(at: from), at: to)
        case .remove(let position):
            try check(position, tracks.indices)
            tracks.remove(at: position)
        }
        return tracks
    }

    /// Whether the change replaces all tracks.
    var replacesTracks: Bool {
        if case .replace = self { return true }
        return false
    }

    /// Whether the change affects the list of tracks.
    var changesTracks: Bool {
        switch self {
        case .rename, .describe, .publish, .setRules: false
        case .replace, .insert, .move, .remove: true
        }
    }
}
