package import Foundation
internal import LibraryStore

extension LibraryStore {
    /// Stores the new tags of edited files, so that no pass needs to read them. Their analyses are kept.
    ///
    /// Files that the library does not know under their path with this audio are left to the next pass.
    /// - Parameters:
    ///   - edited: the files.
    ///   - now: the time to store as the time of the change.
    /// - Returns: the ids of the stored tracks.
    /// - Throws: `DatabaseError`. The files themselves have been edited all the same; the next pass finds
    ///   them.
    @discardableResult
    package func record(edited: [TagEditOutcome], now: Date = Date()) throws -> [Int] {
        let known = try edited.filter { file in
            // A file that is divided into tracks has no available track of its own.
            guard let state = try trackState(of: file.path) else { return false }
            return state.isAvailable && state.audioHash == file.audioHash
        }
        return try record(known.map(\.record), now: now) { _ in true }
    }
}
