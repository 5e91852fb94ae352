internal import APIDescription
internal import HostAccounts
internal import HTTPServer
internal import Jukebox
internal import MusicShared

/// Routes that control the jukebox.
struct JukeboxRoutes: DescribedRoutes {
    let access: JukeboxAccess

    func add(to routes: some RouteCollection) {
        routes.get(Routes.jukebox) { request in
            try .json(await access.jukebox(for: request).report())
        }
        routes.patch(Routes.jukebox) { request in
            let patch = try await request.json(JukeboxPatch.self)
            try Self.check(volume: patch.volume)
            try Self.check(seconds: patch.positionSeconds)
            return try await act(request) { try await $0.change(patch, by: $1) }
        }
        routes.put(Routes.jukeboxQueue) { request in
            let queue = try await request.json(JukeboxQueue.self)
            try Self.check(seconds: queue.positionSeconds)
            let revision = try request.value(Self.revision)
            return try await act(request) { try await $0.setQueue(queue, revision: revision, by: $1) }
        }
        routes.post(Routes.jukeboxEntries) { request in
            let addition = try await request.json(PlaylistAddition.self)
            let revision = try request.value(Self.revision)
            return try await act(request) { jukebox, _ in
                try await jukebox.add(addition.trackIDs, at: addition.position, revision: revision)
            }
        }
        routes.patch(Routes.jukeboxEntry) { request in
            let position: Int = try request.parameters.require("position")
            let target = try await request.json(PlaylistMove.self).position
            let revision = try request.value(Self.revision)
            return try await act(request) { jukebox, _ in
                try await jukebox.move(from: position, to: target, revision: revision)
            }
        }
        routes.delete(Routes.jukeboxEntry) { request in
            let position: Int = try request.parameters.require("position")
            let revision = try request.value(Self.revision)
            return try await act(request) { jukebox, _ in
                try await jukebox.remove(at: position, revision: revision)
            }
        }
        routes.post(Routes.jukeboxShuffle) { request in
            try await act(request) { jukebox, _ in try await jukebox.shuffle() }
        }
    }

    /// Runs a command and returns the state after it.
    private func act(
        _ request: HTTPRequest, _ command: (Jukebox, _ accountID: Int) async throws -> Void
    ) async throws -> HTTPResponse {
        let jukebox = try access.jukebox(for: request)
        do {
            try await command(jukebox, try request.caller.accountID)
        } catch let error as JukeboxError {
            let (kind, field): (APIError, String) =
                switch error.code {
                case .noSuchTrack: (.noSuchTracks, "track_ids")
                case .tooManyTracks: (.tooManyEntries, "track_ids")
                case .badPosition: (.badPosition, "position")
                case .changedMeanwhile: (.changedMeanwhile, "revision")
                }
            throw kind(error.description, field: field)
        }
        return try .json(await jukebox.report())
    }

    private static func check(volume: Double?) throws(HTTPError) {
        guard let volume, !(0...1).contains(volume) else { return }
        throw APIError.invalidField("The volume must be between 0 and 1.", field: "volume")
    }

    private static func check(seconds: Double?) throws(HTTPError) {
        guard let seconds, !(seconds.isFinite && seconds >= 0) else { return }
        throw APIError.invalidField(
            "The position must be a non-negative number of seconds.", field: "position_seconds")
    }
}

extension JukeboxPatch: JSONContent {
    static var keys: [String] { ["is_playing", "index", "position_seconds", "volume"] }
}

extension JukeboxQueue: JSONContent {
    static var keys: [String] { ["track_ids", "index", "position_seconds", "is_playing"] }
}
