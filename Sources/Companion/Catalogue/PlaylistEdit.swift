/// A change of a playlist.
public enum PlaylistEdit: Sendable, Equatable {
    /// Another name.
    case rename(String)
    /// Another description, or none.
    case describe(String?)
    /// Other tracks, in this order.
    case replace([Int])
    /// Tracks put in before a position, or at the end.
    case insert([Int], at: Int?)
    /// The entry at a position taken out and put in so that it is at another position afterwards.
    case move(from: Int, to: Int)
    /// The entry at a position taken out.
    case remove(at: Int)

    /// The tracks after the change.
    /// - Throws: `badPosition` if there is no such place.
    func applied(to tracks: [Int]) throws(StoreError) -> [Int] {
        var tracks = tracks
        func check(_ position: Int, _ places: Range<Int>) throws(StoreError) {
            guard places.contains(position) else {
                throw StoreError(
                    .badPosition,
                    "There is no place \(position): the playlist has \(places.count) for this, from 0 on.")
            }
        }
        switch self {
        case .rename, .describe: break
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

    /// Whether the change is about the tracks.
    var changesTracks: Bool {
        switch self {
        case .rename, .describe: false
        case .replace, .insert, .move, .remove: true
        }
    }
}
