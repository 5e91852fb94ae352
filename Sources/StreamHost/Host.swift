public import Companion
internal import Foundation
public import HTTPServer
internal import MusicShared

/// The host: a library and what it answers.
public struct Host: Sendable {
    /// What a host is made of.
    public struct Settings: Sendable {
        /// Name that clients show.
        public var name: String
        /// Everybody who can reach the host is let in, without a key.
        public var trustsEverybody = false

        /// Name and version of the program, which clients are told.
        public var appVersion = "stream-host"

        /// Names the host.
        public init(name: String) { self.name = name }
    }

    private let settings: Settings
    private let secrets: HostSecrets
    private let tracks: StreamedTracks
    private let music: MusicFolder
    private let library: LibraryStore
    private let frames: FrameStore
    private let snapshots: LibrarySnapshots
    private let clients = RemoteClients()

    /// Opens the library of a data folder.
    /// - Parameter reanalysis: asked for a pass when a file is not what was analysed.
    /// - Throws: what keeps the databases or the secrets from being used.
    public init(
        music: MusicFolder, data: DataFolder, settings: Settings, secrets: HostSecrets, reanalysis: Reanalysis
    ) throws {
        self.settings = settings
        self.secrets = secrets
        self.music = music
        // Opened for writing once, so that a library of an older program is brought up to date.
        library = try LibraryStore(data)
        frames = try FrameStore(data)
        let clients = clients
        tracks = StreamedTracks(music: music, library: library, reanalysis: reanalysis) {
            clients.tellAll(.error(message: $0))
        }
        reanalysis.whenLibraryChanges { clients.tellAll(.dbReady) }
        snapshots = try LibrarySnapshots(library: library, folder: data)
    }

    /// All routes.
    public func responder(
        onError: @escaping @Sendable (any Error, HTTPRequest) -> Void = { _, _ in }
    ) -> RoutedResponder {
        let router = Router()
        router.add(CORSMiddleware())
        router.get(Routes.health, execution: .inline) { _ in try .json(["status": "ok"]) }
        let limiter = FailureLimiter()
        func access(to resource: AccessMiddleware.Resource) -> AccessMiddleware {
            AccessMiddleware(
                secrets: secrets, limiter: limiter, resource: resource,
                trustsEverybody: settings.trustsEverybody)
        }
        let guarded = router.group(middleware: [access(to: .library)])
        AccessRoutes(hostName: settings.name, secrets: secrets).add(to: guarded)
        LibraryRoutes(snapshots: snapshots).add(to: guarded)
        RemoteRoutes(clients: clients, tracks: tracks, appVersion: settings.appVersion).add(to: guarded)
        // What belongs to one track, whose number is the path's id.
        let ofTrack = router.group(middleware: [access(to: .track)])
        HLSRoutes(tracks: tracks, music: music).add(to: ofTrack)
        FileRoutes(tracks: tracks).add(to: ofTrack)
        AnalysisRoutes(library: library, frames: frames).add(to: ofTrack)
        return router.build(onError: onError)
    }
}
