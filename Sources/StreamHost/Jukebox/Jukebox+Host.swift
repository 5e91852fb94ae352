internal import Catalogue
internal import Companion
internal import HostStreams
internal import HTTPServer
internal import Jukebox
internal import LibraryStore
internal import MusicShared

/// Why a file cannot be played, in words for the user.
private struct FileProblem: Error, CustomStringConvertible {
    let description: String
}

extension Jukebox {
    /// Creates the jukebox of a host, which plays the files of its library.
    /// - Parameter changed: called after every change of its state.
    static func ofHost(
        _ settings: JukeboxSettings, data: DataFolder, library: LibraryStore, tracks: StreamedTracks,
        listening: ListeningStore, changed: @escaping @Sendable () -> Void,
        listeningChanged: @escaping @Sendable (_ accountID: Int) -> Void,
        report: @escaping @Sendable (String) -> Void
    ) throws -> Jukebox {
        let planning = settings.planning
        let parts = Library(
            id: try library.catalogue { try $0.libraryID },
            tracks: { ids in try library.catalogue { try $0.tracks(ids: ids) } },
            path: { try await path(of: $0, tracks) },
            plan: { from, to in
                guard let first = try library.track(id: from).flatMap({ CrossfadeTrack($0) }),
                    let second = try library.track(id: to).flatMap({ CrossfadeTrack($0) })
                else { throw FileProblem(description: "The tracks have not been analysed yet.") }
                return try library.crossfadePlan(from: first, to: second, options: planning)
            })
        let observer = Observer(
            changed: changed,
            heard: { track, accountID, isComplete in
                var action = ListeningAction(isComplete ? .play : .nowPlaying)
                action.trackID = track
                action.client = "Jukebox"
                do {
                    _ = try listening.account(accountID).apply([action])
                    if isComplete { listeningChanged(accountID) }
                } catch {
                    report("a play of the jukebox cannot be stored: \(error)")
                }
            }, report: report)
        return Jukebox(settings, library: parts, path: "\(data.path)/jukebox.json", observer: observer)
    }

    private static func path(of trackID: Int, _ tracks: StreamedTracks) async throws -> String {
        do {
            let bytes = try await tracks.track(trackID).filePath
            guard let path = String(validating: bytes, as: UTF8.self) else {
                throw FileProblem(
                    description: "The name of the file is not valid UTF-8; rename it to play it here.")
            }
            return path
        } catch let error as HTTPError {
            throw FileProblem(description: error.message)
        }
    }
}
