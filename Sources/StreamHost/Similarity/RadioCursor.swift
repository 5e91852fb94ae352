internal import Companion

/// The position in a radio: its seed, the number of tracks so far, and the IDs of the latest of them.
///
/// The text is `SEED.COUNT.ID-ID-…` in base 36.
struct RadioCursor: Equatable {
    let seed: UInt64
    let position: Int
    let trackIDs: [Int]

    private static let base = 36
    private static let largestPosition = 1 << 40

    /// Starts a radio.
    init(seed: UInt64) {
        self.seed = seed
        position = 0
        trackIDs = []
    }

    private init(seed: UInt64, position: Int, trackIDs: [Int]) {
        self.seed = seed
        self.position = position
        self.trackIDs = trackIDs
    }

    /// Parses a cursor; nil if it is not one.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let seed = UInt64(parts[0], radix: Self.base),
            let position = Int(parts[1], radix: Self.base), (0...Self.largestPosition).contains(position)
        else { return nil }
        let texts = parts[2].isEmpty ? [] : parts[2].split(separator: "-", omittingEmptySubsequences: false)
        let ids = texts.compactMap { Int($0, radix: Self.base) }.filter { $0 > 0 }
        guard ids.count == texts.count, ids.count <= RadioPlanner.memory else { return nil }
        self.init(seed: seed, position: position, trackIDs: ids)
    }

    /// Returns the position after more tracks.
    func advanced(by ids: [Int]) -> RadioCursor {
        RadioCursor(
            seed: seed, position: min(position + ids.count, Self.largestPosition),
            trackIDs: Array((trackIDs + ids).suffix(RadioPlanner.memory)))
    }

    /// The cursor as text.
    var text: String {
        let ids = trackIDs.map { String($0, radix: Self.base) }.joined(separator: "-")
        return "\(String(seed, radix: Self.base)).\(String(position, radix: Self.base)).\(ids)"
    }
}
