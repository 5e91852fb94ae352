public import Companion
internal import Foundation
public import HTTPServer
public import MusicShared

/// The host: a library and what it answers.
public struct Host: Sendable {
    /// What a host is made of.
    public struct Settings: Sendable {
        /// Name that clients show.
        public var name: String
        /// Everybody who can reach the host is let in, without a key.
        public var trustsEverybody = false

        /// Wrong keys that an address may send in a minute before it is told to wait.
        public var allowedFailures = 10
        /// Name and version of the program, which clients are told.
        public var appVersion = "stream-host"

        /// Names the host.
        public init(name: String) { self.name = name }
    }

    private let settings: Settings
    private let access: AccessMiddleware
    private let clients: RemoteClients
    private let tunnel = TunnelState()
    /// Routes that need no key.
    private var openRoutes: [any DescribedRoutes]
    /// Routes that need the key.
    private let guardedRoutes: [any DescribedRoutes]
    /// The description of all of them.
    private let description: OpenAPIRoutes

    /// Opens the library of a data folder.
    /// - Parameter reanalysis: asked for a pass when a file is not what was analysed.
    /// - Throws: what keeps the databases or the secrets from being used.
    public init(
        music: MusicFolder, data: DataFolder, settings: Settings, secrets: HostSecrets, reanalysis: Reanalysis
    ) throws {
        self.settings = settings
        access = AccessMiddleware(
            secrets: secrets, limiter: FailureLimiter(allowed: settings.allowedFailures),
            trustsEverybody: settings.trustsEverybody)
        // Opened for writing once, so that a library of an older program is brought up to date.
        let library = try LibraryStore(data)
        let frames = try FrameStore(data)
        let clients = RemoteClients()
        self.clients = clients
        let tracks = StreamedTracks(music: music, library: library, reanalysis: reanalysis) {
            clients.tellAll(.error(message: $0))
        }
        let waiting = UnanalysedTracks(music: music, library: library, reanalysis: reanalysis)
        openRoutes = [
            HealthRoutes(
                access: access,
                facts: HealthFacts(
                    version: settings.appVersion, library: library, frames: frames, clients: clients,
                    reanalysis: reanalysis, tunnel: tunnel))
        ]
        guardedRoutes = [
            AccessRoutes(hostName: settings.name, secrets: secrets, library: library),
            RemoteRoutes(
                clients: clients, announcer: try LibraryAnnouncer(clients: clients, library: library),
                tracks: tracks, appVersion: settings.appVersion, tunnel: tunnel),
            HLSRoutes(tracks: tracks, music: music),
            FileRoutes(tracks: tracks),
            LibraryRoutes(snapshots: try LibrarySnapshots(library: library, folder: data)),
            AnalysisRoutes(library: library, frames: frames),
            SmartDJRoutes(library: library, unanalysed: waiting),
            FrameRoutes(library: library, frames: frames, unanalysed: waiting),
            CrossfadeRoutes(library: library),
            CatalogueRoutes(library: library),
            PlaylistRoutes(library: library),
            CoverRoutes(
                library: library, finder: CoverFinder(music: music),
                covers: Covers(cache: CoverCache(folder: "\(data.path)/covers"))),
        ]
        openRoutes.append(
            try AsyncAPIRoutes(describing: (openRoutes + guardedRoutes).map { type(of: $0) }))
        description = try OpenAPIRoutes(describing: (openRoutes + guardedRoutes).map { type(of: $0) })
    }

    /// Takes in how the host's tunnel stands; clients are told when its address has changed.
    public func tunnelHasChanged(_ report: TunnelReport) {
        if tunnel.set(report) { clients.tellAll(.tunnel(url: report.url)) }
    }

    /// All routes.
    public func responder(
        onError: @escaping @Sendable (any Error, HTTPRequest) -> Void = { _, _ in }
    ) -> RoutedResponder {
        let router = Router()
        if settings.trustsEverybody {
            router.add(LocalPagesMiddleware(hostName: settings.name))
        } else {
            // The key is what lets a page in, wherever it comes from.
            router.add(CORSMiddleware())
        }
        for routes in openRoutes + [description] { routes.add(to: router) }
        let guarded = router.group(middleware: [access])
        for routes in guardedRoutes { routes.add(to: guarded) }
        return router.build(onError: onError)
    }
}
