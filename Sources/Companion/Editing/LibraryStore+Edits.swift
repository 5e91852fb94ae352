public import Foundation

extension LibraryStore {
    /// Stores what edited files say now, so that no pass need look at them. Their analyses stay as they are.
    ///
    /// Files that the library does not know under their path with this audio are left to the next pass.
    /// - Parameters:
    ///   - edited: the files.
    ///   - now: the time to store as that of the change.
    /// - Returns: the ids of the tracks that were stored.
    /// - Throws: `DatabaseError`. The files themselves are edited all the same; the next pass finds them.
    @discardableResult
    public func record(edited: [EditedTrack], now: Date = Date()) throws -> [Int] {
        let known = try edited.filter { try trackState(of: $0.path)?.audioHash == $0.audioHash }
        return try record(known.map(\.record), now: now) { _ in true }
    }
}
