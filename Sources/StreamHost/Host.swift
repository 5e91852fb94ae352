public import Companion
internal import Foundation
public import HTTPServer
public import MusicShared
internal import Secrets
public import Subsonic
public import WebPlayer

/// The host: a library and what it answers.
public struct Host: Sendable {
    /// What a host is made of.
    public struct Settings: Sendable {
        /// Name that clients show.
        public var name: String
        /// Everybody who can reach the host is let in, without a key.
        public var trustsEverybody = false

        /// What opens `/metrics`, and nothing else, besides the key.
        public var metricsToken: String?
        /// Wrong keys that an address may send in a minute before it is told to wait.
        public var allowedFailures = 10
        /// Name and version of the program, which clients are told.
        public var appVersion = "stream-host"
        /// How uploads are taken.
        public var uploads = UploadSettings()
        /// Who analyses.
        public var workers = AnalysisWorkers.Options()
        /// How the music folder is watched.
        public var watch = LibraryWatch.Options()
        /// The page that plays in a browser; nil for a host without one.
        public var webPlayer: WebPlayerSite?

        /// Names the host.
        public init(name: String) { self.name = name }
    }

    private let settings: Settings
    private let analysis: HostAnalysis
    private let access: AccessMiddleware
    private let clients: RemoteClients
    private let tunnel = TunnelState()
    private let requests = RequestMetrics()
    private let rescanFollower: RescanFollower?
    /// Routes that need no key.
    private var openRoutes: [any DescribedRoutes]
    /// Routes that need the key.
    private let guardedRoutes: [any DescribedRoutes]
    /// The description of all of them.
    private let description: OpenAPIRoutes

    /// Opens the library of a data folder.
    /// - Parameters:
    ///   - queue: where what is to be analysed waits. The host analyses until it is gone.
    ///   - rescan: told of changes to the music folder; nil where no server is to hear of them.
    ///   - report: told of what the owner should know.
    /// - Throws: what keeps the databases or the secrets from being used.
    public init(
        music: MusicFolder, data: DataFolder, settings: Settings, secrets: HostSecrets, queue: AnalysisQueue,
        rescan: LibraryRescan? = nil, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        self.settings = settings
        access = AccessMiddleware(
            secrets: secrets, limiter: FailureLimiter(allowed: settings.allowedFailures),
            trustsEverybody: settings.trustsEverybody,
            metricsToken: settings.metricsToken.map { SecretBytes(Array($0.utf8)) })
        // Opened for writing once, so that a library of an older program is brought up to date.
        let library = try LibraryStore(data)
        let frames = try FrameStore(data)
        let listening = try ListeningStore(data)
        let clients = RemoteClients()
        self.clients = clients
        analysis = try HostAnalysis(
            music: music, data: data, library: library, frames: frames, queue: queue, settings: settings,
            report: report)
        let push = PushFeed(queue.store, complain: report)
        let tracks = StreamedTracks(music: music, library: library, queue: queue) {
            clients.tellAll(.error(message: $0))
        }
        let intake = MusicIntake(
            music: music, library: library, staging: try StagingArea(data), naming: settings.uploads.naming,
            limits: settings.uploads.limits, onChange: ChangeAnnouncer(queue: queue, report: report).note)
        let uploads = ResumableUploads(intake)
        intake.recover()
        uploads.removeExpired()
        let waiting = UnanalysedTracks(music: music, library: library, queue: queue)
        rescanFollower = rescan.map { RescanFollower(push, $0) }
        let edits = LibraryEdits(music: music, library: library, queue: queue)
        edits.removeLeftovers()
        let health = HealthFacts(
            version: settings.appVersion, library: library, frames: frames, clients: clients,
            queue: queue, analysis: analysis, push: push, rescan: rescan,
            tunnel: tunnel)
        openRoutes = [HealthRoutes(access: access, facts: health)]
        guardedRoutes = [
            MetricsRoutes(requests: requests, health: health),
            RescanRoutes(rescan: rescan),
            AccessRoutes(hostName: settings.name, secrets: secrets, library: library),
            RemoteRoutes(
                clients: clients,
                announcer: try LibraryAnnouncer(clients: clients, push: push, library: library),
                tracks: tracks, appVersion: settings.appVersion, tunnel: tunnel),
            HLSRoutes(
                tracks: tracks, music: music, library: library,
                renditions: Renditions(folder: "\(data.path)/renditions", music: music)),
            ContinuousRoutes(library: library, secrets: secrets),
            FileRoutes(tracks: tracks),
            LibraryRoutes(snapshots: try LibrarySnapshots(library: library, folder: data, queue: queue)),
            AnalysisRoutes(library: library, frames: frames),
            SmartDJRoutes(library: library, unanalysed: waiting),
            FrameRoutes(library: library, frames: frames, unanalysed: waiting),
            JobRoutes(
                planner: JobPlanner(music: music, library: library, frames: frames, queue: queue),
                store: queue.store),
            PushRoutes(feed: push),
            CrossfadeRoutes(library: library),
            LyricsRoutes(lyrics: LyricsLibrary(music), library: library) { path in
                guard let id = (try? library.track(path: path))??.track.id else { return }
                push.announce(.tracksChanged([PushTrack(trackID: id, relativePath: path.text)]))
            },
            CatalogueRoutes(library: library, listening: listening),
            ListeningRoutes(listening: listening) { push.announce(.listeningChanged) },
            ExportRoutes(library: library),
            MetadataRoutes(edits: edits),
            BulkFixRoutes(edits: edits),
            ReplayGainRoutes(edits: edits),
            UploadRoutes(
                intake: intake, uploads: uploads, slots: UploadSlots(settings.uploads.concurrentUploads)),
            TrashRoutes(library: library, trash: MusicTrash(intake)),
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

    /// Ends what goes on beside the answers: files that are being analysed are given back to the queue.
    public func stop(withinSeconds seconds: Double = 0) { analysis.stop(withinSeconds: seconds) }

    /// All routes.
    public func responder(
        onError: @escaping @Sendable (any Error, HTTPRequest) -> Void = { _, _ in }
    ) -> RoutedResponder {
        let router = Router(metrics: requests)
        if settings.trustsEverybody {
            router.add(LocalPagesMiddleware(hostName: settings.name))
        } else {
            // The key is what lets a page in, wherever it comes from.
            router.add(CORSMiddleware())
        }
        if let site = settings.webPlayer { WebPlayerRoutes(site: site).add(to: router) }
        for routes in openRoutes + [description] { routes.add(to: router) }
        let guarded = router.group(middleware: [access])
        for routes in guardedRoutes { routes.add(to: guarded) }
        return router.build(onError: onError)
    }
}
