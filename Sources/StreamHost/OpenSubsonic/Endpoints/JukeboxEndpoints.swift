internal import Jukebox
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic

/// The jukebox: playback through the host's sound card.
struct JukeboxEndpoints: SubsonicEndpoints {
    let access: JukeboxAccess
    let listening: AccountListening

    var handlers: [String: Handler] { ["jukeboxControl": { try await control($0) }] }

    private func control(_ call: SubsonicCall) async throws -> SubsonicAnswer {
        guard let jukebox = access.jukebox else {
            throw SubsonicError(.generic, "This server has no jukebox: start it with --jukebox.")
        }
        guard access.isAllowed(call.account.role) else {
            throw SubsonicError(
                .notAuthorized,
                "The jukebox requires the role \(jukebox.role.rawValue), which the account "
                    + "\"\(call.account.name)\" does not have.")
        }
        let action = try call.request.require("action")
        do {
            try await apply(action, call, to: jukebox)
        } catch let error as JukeboxError {
            throw SubsonicError(error.code == .noSuchTrack ? .notFound : .generic, error.description)
        }
        guard action == "get" else {
            return .element("jukeboxStatus", Self.status(await jukebox.report()))
        }
        return try await playlist(jukebox)
    }

    private func apply(_ action: String, _ call: SubsonicCall, to jukebox: Jukebox) async throws {
        let request = call.request
        let account = call.account.id
        switch action {
        case "get", "status": break
        case "set":
            try await jukebox.setQueue(JukeboxQueue(trackIDs: try request.trackIDs("id")), by: account)
        case "add":
            let tracks = try request.trackIDs("id")
            guard !tracks.isEmpty else { throw SubsonicError.missing("id") }
            try await jukebox.add(tracks)
        case "clear": try await jukebox.setQueue(JukeboxQueue(trackIDs: []), by: account)
        case "remove": try await jukebox.remove(at: try request.requireInteger("index"))
        case "shuffle": try await jukebox.shuffle()
        case "start": try await jukebox.change(JukeboxPatch(isPlaying: true), by: account)
        case "stop": try await jukebox.change(JukeboxPatch(isPlaying: false), by: account)
        case "skip":
            let index = try request.requireInteger("index")
            let offset = try request.integer("offset") ?? 0
            guard offset >= 0 else {
                throw SubsonicError(.generic, "\"offset\" must be a number of seconds from 0 on.")
            }
            try await jukebox.change(
                JukeboxPatch(isPlaying: true, index: index, positionSeconds: Double(offset)), by: account)
        case "setGain":
            guard let gain = Double(try request.require("gain")), (0...1).contains(gain) else {
                throw SubsonicError(.generic, "\"gain\" must be a number from 0 to 1.")
            }
            try await jukebox.change(JukeboxPatch(volume: gain), by: account)
        default:
            throw SubsonicError(
                .generic,
                "\"action\" must be get, status, set, start, stop, skip, add, clear, remove, shuffle or setGain."
            )
        }
    }

    /// The fields of a `JukeboxStatus`. Without a current song, the index is −1.
    private static func status(_ state: JukeboxReport) -> SubsonicObject {
        var status = SubsonicObject()
        status.add("currentIndex", state.index ?? -1)
        status.add("playing", state.isPlaying)
        status.add("gain", state.volume)
        status.add("position", Int(state.positionSeconds))
        return status
    }

    private func playlist(_ jukebox: Jukebox) async throws -> SubsonicAnswer {
        var playlist = Self.status(await jukebox.report())
        let tracks = await jukebox.tracks()
        playlist.add("entry", try listening.look { try SubsonicItems(reader: $0).songs(tracks) })
        return .element("jukeboxPlaylist", playlist)
    }
}
