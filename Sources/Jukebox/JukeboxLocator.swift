internal import MusicShared
internal import StreamClient
internal import Synchronization

/// Finds the files of the queue when they are played: they may have been moved since they were queued.
final class JukeboxLocator: MediaLocator {
    private let path: @Sendable (_ trackID: Int) async throws -> String
    private let failures = Mutex<[Int: String]>([:])

    init(path: @escaping @Sendable (Int) async throws -> String) { self.path = path }

    func location(
        of item: PlayableItem, insteadOf failed: PlayableItem.Location?
    ) async -> PlayableItem.Location? {
        guard failed == nil, let id = item.trackID else { return nil }
        do {
            let found = try await path(id)
            failures.withLock { $0[id] = nil }
            return .file(path: found)
        } catch {
            failures.withLock { $0[id] = "\(error)" }
            return nil
        }
    }

    /// Why the file of a track was not found the last time.
    func failure(ofTrack id: Int?) -> String? { id.flatMap { id in failures.withLock { $0[id] } } }
}

/// Plans transitions with all that the host knows of both tracks.
struct JukeboxPlanner: TransitionPlanner {
    let plan: @Sendable (_ from: Int, _ to: Int) throws -> CrossfadePlan

    func plan(from: PlayableItem, to: PlayableItem) async -> CrossfadePlan? {
        guard let first = from.trackID, let second = to.trackID else { return nil }
        return try? plan(first, second)
    }
}
