internal import Companion
internal import MusicShared

/// The map of the library as JSON: columns instead of objects, because a library has many tracks.
struct SoundMap: Codable {
    let trackIDs: [Int]
    let x: [Double]
    let y: [Double]

    init(_ map: LibraryMap) {
        trackIDs = map.trackIDs
        x = map.places.map { Double($0.x).rounded(to: 10_000) }
        y = map.places.map { Double($0.y).rounded(to: 10_000) }
    }

    private enum CodingKeys: String, CodingKey {
        case trackIDs = "track_ids"
        case x, y
    }
}
