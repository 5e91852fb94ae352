internal import APIDescription
internal import HostAccounts
internal import HTTPServer
internal import Jukebox
internal import MusicShared

/// The host's jukebox, for accounts that may control it.
struct JukeboxAccess: Sendable {
    /// Nil on a host without one.
    let jukebox: Jukebox?

    /// Whether there is a jukebox that accounts of a role may control.
    func isAllowed(_ role: AccountRole) -> Bool { jukebox.map { role >= $0.role } ?? false }

    /// The jukebox.
    /// - Throws: 404 on a host without a jukebox, 403 for callers who may not control it.
    func jukebox(for request: HTTPRequest) throws(HTTPError) -> Jukebox {
        guard let jukebox else {
            throw APIError.noJukebox("This host has no jukebox: start it with --jukebox.")
        }
        try request.require(jukebox.role)
        return jukebox
    }

    /// The jukebox as one of the clients on the remote channel; nil for callers who may not control it.
    func client(for caller: Caller) async -> ClientReport? {
        guard let jukebox, isAllowed(caller.role) else { return nil }
        let now = await jukebox.report()
        return ClientReport(
            id: ClientReport.jukeboxID, appVersion: "Jukebox", address: now.output, connectedSeconds: 0,
            playback: PlaybackState(
                trackID: now.trackID, position: now.positionSeconds, isPlaying: now.isPlaying,
                volume: now.volume))
    }
}
