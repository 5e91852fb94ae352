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
    private let coverFinder: CoverFinder
    private let covers: Covers

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
        tracks = StreamedTracks(music: music, library: library, reanalysis: reanalysis)
        snapshots = LibrarySnapshots(library: library, folder: data.path)
        coverFinder = CoverFinder(music: music)
        covers = Covers(cache: CoverCache(folder: "\(data.path)/covers"))
    }

    /// All routes.
    public func responder(
        onError: @escaping @Sendable (any Error, HTTPRequest) -> Void = { _, _ in }
    ) -> RoutedResponder {
        let router = Router()
        router.add(CORSMiddleware())
        router.get(Routes.health, execution: .inline) { _ in try .json(["status": "ok"]) }
        let guarded = router.group(
            middleware: [AccessMiddleware(secrets: secrets, trustsEverybody: settings.trustsEverybody)])
        AccessRoutes(hostName: settings.name, secrets: secrets).add(to: guarded)
        HLSRoutes(tracks: tracks, music: music).add(to: guarded)
        FileRoutes(tracks: tracks).add(to: guarded)
        LibraryRoutes(snapshots: snapshots).add(to: guarded)
        AnalysisRoutes(library: library, frames: frames).add(to: guarded)
        CatalogueRoutes(library: library).add(to: guarded)
        PlaylistRoutes(library: library).add(to: guarded)
        CoverRoutes(library: library, finder: coverFinder, covers: covers).add(to: guarded)
        return router.build(onError: onError)
    }
}
