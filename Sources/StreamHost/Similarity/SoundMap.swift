internal import Companion
internal import MusicShared

/// The map of the library as JSON: columns instead of objects, because a library has many tracks.
struct SoundMap: Codable {
    let trackIDs: [Int]
    let x: [Double]
    let y: [Double]
    let groups: [Int]

    /// - Parameter limit: the most tracks. Of more, an even sample is shown: as ids mostly follow folders, it has tracks of all
    ///   parts of the library.
    init(_ map: LibraryMap, limit: Int?) {
        let count = map.trackIDs.count
        let shown = min(count, limit ?? count)
        let rows = (0..<shown).map { $0 * count / shown }
        trackIDs = rows.map { map.trackIDs[$0] }
        x = rows.map { Double(map.places[$0].x).rounded(to: 10_000) }
        y = rows.map { Double(map.places[$0].y).rounded(to: 10_000) }
        groups = rows.map { Int(map.groups[$0]) }
    }

    private enum CodingKeys: String, CodingKey {
        case trackIDs = "track_ids"
        case x, y, groups
    }
}
