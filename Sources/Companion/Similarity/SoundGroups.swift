internal import LibraryStore

/// Divides tracks into the groups that a map shows in one colour: genres, and artists for tracks without a genre. Tracks with
/// neither are one group.
struct SoundGroups {
    /// Identifies a group by what its tracks have in common.
    private enum Key: Hashable {
        /// A genre; the case of Latin letters is ignored.
        case genre(String)
        case artist(Int)
        case neither

        /// Decides between groups of equal size and name.
        var rank: (Int, Int) {
            switch self {
            case .genre: (0, 0)
            case .artist(let id): (1, id)
            case .neither: (2, 0)
            }
        }
    }

    /// The group of each track, in the order in which the groups occur.
    private var places: [Int32] = []
    private var keys: [Key] = []
    private var sizes: [Int] = []

    /// Divides tracks.
    init(_ tracks: [SoundingTrack]) {
        var known: [Key: Int32] = [:]
        // A library has few spellings of genres, so that each is folded once.
        var genres: [String: Key] = [:]
        places.reserveCapacity(tracks.count)
        for track in tracks {
            let key: Key
            if let genre = track.genre, !genre.isEmpty {
                key = genres[genre] ?? .genre(Self.folded(genre))
                genres[genre] = key
            } else {
                key = track.artistID.map { .artist($0) } ?? .neither
            }
            let place = known[key] ?? Int32(keys.count)
            if Int(place) == keys.count {
                known[key] = place
                keys.append(key)
                sizes.append(0)
            }
            sizes[Int(place)] += 1
            places.append(place)
        }
    }

    /// The artists that are groups.
    var artistIDs: [Int] { keys.compactMap { if case .artist(let id) = $0 { id } else { nil } } }

    /// Returns the number of each track's group: 0 for the largest; groups of equal size are numbered by name.
    /// - Parameter artistNames: the names of the artists that are groups.
    func numbers(artistNames: [Int: String]) -> [Int32] {
        let names = keys.map { key in
            switch key {
            case .genre(let name): name
            case .artist(let id): Self.folded(artistNames[id] ?? "")
            case .neither: ""
            }
        }
        let sorted = keys.indices.sorted { one, other in
            if sizes[one] != sizes[other] { return sizes[one] > sizes[other] }
            if names[one] != names[other] { return names[one] < names[other] }
            return keys[one].rank < keys[other].rank
        }
        var numbers = [Int32](repeating: 0, count: keys.count)
        for (number, place) in sorted.enumerated() { numbers[place] = Int32(number) }
        return places.map { numbers[Int($0)] }
    }

    /// Returns a name with Latin letters in lower case, as genres are compared in the catalogue.
    private static func folded(_ name: String) -> String {
        String(decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }
}
