internal import APIDescription
internal import Catalogue
package import Companion
internal import Foundation
package import HostAccounts
package import HostEditing
internal import HostStreams
package import HTTPServer
package import Jukebox
package import LibraryStore
package import MusicFiles
package import MusicShared
package import RadioRelay
internal import Secrets
package import Subsonic
package import WebPlayer

/// The host: a music library and its HTTP API.
package struct Host: Sendable {
    /// Settings of a host.
    package struct Settings: Sendable {
        /// Name shown by clients.
        package var name: String
        /// Whether requests without a key are admitted.
        package var requiresNoKey = false

        /// Name of the account that the API key belongs to.
        package var accountName = "owner"

        /// A token that grants access to `/metrics` only; nil if only the API key does.
        package var metricsToken: String?
        /// Number of invalid keys that an address may send per minute before it must wait.
        package var allowedFailures = 10
        /// Name and version of the program, as reported to clients.
        package var appVersion = "stream-host"
        /// Receives a line for each scan, edit, upload and deletion, with the number of files. Nil disables
        /// the log.
        package var activityLog: (@Sendable (String) -> Void)?
        /// Settings for uploads.
        package var uploads = UploadSettings()
        /// Seconds after its last use until the file of a streamed track is closed.
        package var openFileSeconds = 60.0
        /// Settings of the analysis workers.
        package var workers = AnalysisWorkers.Options()
        /// Settings for watching the music folder.
        package var watch = LibraryWatch.Options()
        /// Settings of the relay of radio stations.
        package var radio = RelaySettings()
        /// Settings of the jukebox; nil for a host without one.
        package var jukebox: JukeboxSettings?
        /// The host that this one follows; nil for a primary.
        package var following: Following?
        /// The listening data that this host shares with others; nil for data of its own.
        package var sharedListening: (any SharedListening)?
        /// The web player; nil for a host without one.
        package var webPlayer: WebPlayerSite?

        /// Creates default settings.
        package init(name: String) { self.name = name }
    }

    private let settings: Settings
    private let report: @Sendable (String) -> Void
    private let analysis: HostAnalysis
    private let access: AccessMiddleware
    private let clients: RemoteClients
    private let tunnel = TunnelState()
    private let addresses: HostAddresses
    private let forwarder: PlayForwarder
    private let requests = RequestMetrics()
    private let rescanFollower: RescanFollower?
    private let relays: StationRelays
    private let recordings: StationRecordings
    private let jukebox: JukeboxAccess
    private let follower: FollowerParts?
    private let listening: ListeningStore
    private let readiness: Readiness
    /// Routes that need no key.
    private var openRoutes: [any DescribedRoutes]
    /// Routes that need the key.
    private let guardedRoutes: [any DescribedRoutes]
    /// The OpenSubsonic API, which has its own access and specification.
    let subsonic: SubsonicRoutes
    /// The pages of shares, which have addresses of their own instead of the key.
    private let shareRoutes: ShareRoutes
    /// The OpenAPI description of all routes.
    private let description: OpenAPIRoutes
    /// The API reference at `/docs`.
    let reference: APIReferenceRoutes

    /// Opens the library of a data folder.
    /// - Parameters:
    ///   - queue: The queue of files to analyse. The host processes it as long as it exists.
    ///   - rescan: Notified of changes to the music folder; nil if no media server is configured.
    ///   - report: Called with messages for the owner.
    /// - Throws: An error if the databases or the secrets cannot be used.
    package init(
        music: MusicFolder, data: DataFolder, settings: Settings, secrets: HostSecrets, queue: AnalysisQueue,
        rescan: LibraryRescan? = nil, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        self.settings = settings
        self.report = report
        let secrets = CurrentSecrets(secrets, dataFolder: data.path, report: report)
        // Open for writing once, which migrates a library written by an older version.
        let library = try LibraryStore(data)
        let listening = try ListeningStore(
            data, smart: library.smartPlaylists, shared: settings.sharedListening,
            isCopyOfHost: settings.following != nil)
        self.listening = listening
        try library.sharePlaylists(with: listening, in: data)
        if settings.following == nil {
            do { try listening.nameMainAccount(settings.accountName) } catch let error as SharedListeningError
                where error.isAway
            {
                report("the account of the API key keeps its name for now: \(error)")
            }
        }
        let accounts = try Accounts(data, listening: listening, library: library)
        // Of its own: the limit of keys is for each address, this one for each address and account.
        let passwordLimiter = FailureLimiter(allowed: settings.allowedFailures)
        let access = AccessMiddleware(
            secrets: secrets, accounts: accounts, limiter: FailureLimiter(allowed: settings.allowedFailures),
            requiresNoKey: settings.requiresNoKey,
            metricsToken: settings.metricsToken.map { SecretBytes(Array($0.utf8)) })
        self.access = access
        let frames = try SpectrumStore(data)
        let forwarder = try PlayForwarder(
            scrobbling: accounts.scrobbling, library: library, version: settings.appVersion, report: report)
        self.forwarder = forwarder
        listening.observePlays { forwarder.take($0, accountID: $1) }
        let clients = RemoteClients()
        self.clients = clients
        addresses = HostAddresses(tunnel: tunnel)
        var watch = settings.watch
        watch.activityLog = settings.activityLog
        // The primary analyses, and its library has tracks whose files are not here.
        analysis =
            settings.following == nil
            ? try HostAnalysis(
                music: music, data: data, library: library, frames: frames, queue: queue,
                workers: settings.workers, watch: watch, report: report) : HostAnalysis()
        let push = PushFeed(queue.store, complain: report)
        let follower = settings.following.map {
            FollowerParts(
                $0, music: music, data: data, library: library, listening: listening,
                listeningChanged: { push.announce(.listeningChanged) }, complain: report)
        }
        self.follower = follower
        readiness = Readiness { follower?.follower.isReady ?? true }
        let tracks = StreamedTracks(
            music: music, library: library, queue: queue, parts: PartFiles(folder: "\(data.path)/parts"),
            keepsOpen: .seconds(settings.openFileSeconds)
        ) {
            clients.broadcast(.error(message: $0))
        }
        let intake = MusicIntake(
            music: music, library: library, staging: try StagingArea(data), naming: settings.uploads.naming,
            limits: settings.uploads.limits,
            onChange: ChangeAnnouncer(queue: queue, report: report, log: settings.activityLog).note)
        let uploads = ResumableUploads(intake)
        intake.recover()
        uploads.removeExpired()
        let relays = StationRelays(folder: "\(data.path)/radio", settings: settings.radio)
        self.relays = relays
        recordings = StationRecordings(intake: intake, listening: listening, log: settings.activityLog)
        let waiting = UnanalysedTracks(music: music, library: library, queue: queue)
        rescanFollower = rescan.map { RescanFollower(push, $0) }
        let edits = EditQueue(
            music: music, library: library, queue: queue, history: try EditHistory(data),
            log: settings.activityLog, report: report)
        edits.removeLeftovers()
        let health = HealthFacts(
            version: settings.appVersion, library: library, frames: frames, clients: clients,
            queue: queue, analysis: analysis, push: push, rescan: rescan,
            tunnel: tunnel, following: follower, listening: listening)
        openRoutes = [
            HealthRoutes(access: access, facts: health),
            ReadinessRoutes(readiness: readiness),
            SignInRoutes(accounts: accounts, limiter: passwordLimiter),
        ]
        let renditions = Renditions(folder: "\(data.path)/renditions")
        let covers = CoverRoutes(
            library: library, finder: CoverFinder(music: music),
            covers: Covers(cache: CoverCache(folder: "\(data.path)/covers")))
        let shared = SharedTracks(library: library)
        shareRoutes = ShareRoutes(
            accounts: accounts, shared: shared, tracks: tracks, covers: covers, site: settings.webPlayer)
        let similar = SimilarTracks(library)
        let trash = MusicTrash(intake)
        let listeningChanged: @Sendable (Int) -> Void = { push.announce(.listeningChanged, toAccount: $0) }
        listening.startSharing(
            library: library, changed: { push.announce(.listeningChanged) }, complain: report)
        let jukebox = JukeboxAccess(
            jukebox: try settings.jukebox.map { settings in
                try .ofHost(
                    settings, data: data, library: library, tracks: tracks, listening: listening,
                    changed: { clients.broadcast(.jukeboxChanged) }, listeningChanged: listeningChanged,
                    report: report)
            })
        self.jukebox = jukebox
        if let jukebox = jukebox.jukebox { Task { await jukebox.open() } }
        let parts = SubsonicRoutes.Parts(
            music: music, library: library, accounts: accounts, tracks: tracks,
            renditions: renditions, covers: covers, secrets: secrets, queue: queue, analysis: analysis,
            shared: shared, similar: similar, jukebox: jukebox, listeningChanged: listeningChanged,
            stationChanged: { relays.stop(stationID: $0) })
        subsonic = SubsonicRoutes(
            access: SubsonicAccess(
                accounts: accounts, limiter: FailureLimiter(allowed: settings.allowedFailures)),
            version: settings.appVersion
        ) { SubsonicRoutes.groups(of: parts, accountID: $0) }
        guardedRoutes = [
            MetricsRoutes(requests: requests, health: health),
            RescanRoutes(rescan: rescan),
            AccessRoutes(
                hostName: settings.name, version: settings.appVersion,
                libraryID: try library.catalogue { try $0.libraryID }, secrets: secrets, library: library,
                accounts: accounts),
            AccountRoutes(accounts: accounts, limiter: passwordLimiter),
            AppPasswordRoutes(accounts: accounts, addresses: addresses),
            ShareManagementRoutes(accounts: accounts, shared: shared),
            ScrobblingRoutes(forwarder: forwarder),
            RemoteRoutes(
                access: access, clients: clients,
                announcer: try LibraryAnnouncer(clients: clients, push: push, library: library),
                tracks: tracks, appVersion: settings.appVersion, tunnel: tunnel, jukebox: jukebox),
            JukeboxRoutes(access: jukebox),
            HLSRoutes(
                tracks: tracks, music: music, library: library, renditions: renditions),
            ContinuousRoutes(library: library, secrets: secrets),
            FileRoutes(tracks: tracks),
            LibraryRoutes(
                snapshots: try LibrarySnapshots(library: library, folder: data, queue: queue) {
                    (try? accounts.all.count) == 1
                }),
            ReplicaRoutes(
                library: library, listening: listening, data: data, secrets: secrets,
                files: SnapshotFiles(folder: data) { true }),
            UnavailableFolderRoutes(analysis: analysis),
            AnalysisRoutes(library: library, frames: frames),
            SmartDJRoutes(library: library, unanalysed: waiting),
            SpectrumRoutes(library: library, frames: frames, unanalysed: waiting),
            JobRoutes(
                planner: JobPlanner(music: music, library: library, frames: frames, queue: queue),
                store: queue.store),
            PushRoutes(access: access, feed: push),
            CrossfadeRoutes(library: library),
            MixRoutes(library: library),
            LyricsRoutes(lyrics: LyricsLibrary(music), library: library) { path in
                guard let id = (try? library.track(path: path))??.track.id else { return }
                push.announce(.tracksChanged([PushTrack(trackID: id, relativePath: path.text)]))
            },
            CatalogueRoutes(library: library, listening: listening),
            SimilarityRoutes(library: library, listening: listening, similar: similar),
            ListeningRoutes(listening: listening, changed: listeningChanged),
            ExportRoutes(library: library),
            MetadataRoutes(edits: edits),
            BulkFixRoutes(edits: edits),
            ReplayGainRoutes(edits: edits),
            EditHistoryRoutes(edits: edits),
            UploadRoutes(
                intake: intake, uploads: uploads, slots: UploadSlots(settings.uploads.concurrentUploads)),
            TrashRoutes(library: library, trash: trash),
            DuplicateRoutes(
                library: library, search: DuplicateSearch(library: library, spectra: frames),
                removal: DuplicateRemoval(library: library, listening: listening, trash: trash), edits: edits),
            PlaylistRoutes(library: library, accounts: accounts),
            SmartPlaylistRoutes(
                library: library, playlists: PlaylistRoutes(library: library, accounts: accounts)),
            StationRoutes(listening: listening, relays: relays, recordings: recordings),
            StationRecordingRoutes(
                listening: listening, library: library, relays: relays, recordings: recordings),
            covers,
        ]
        openRoutes.append(
            try AsyncAPIRoutes(describing: (openRoutes + guardedRoutes).map { type(of: $0) }))
        let groups = (openRoutes + guardedRoutes).map { type(of: $0) }
        description = try OpenAPIRoutes(describing: groups)
        reference = APIReferenceRoutes(describing: groups + [OpenAPIRoutes.self])
    }

    /// Stores the state of the host's tunnel; notifies clients if its URL has changed.
    package func tunnelHasChanged(_ report: TunnelReport) {
        if tunnel.set(report) { clients.broadcast(.tunnel(url: report.url)) }
    }

    /// Sets the address at which the local network reaches the host; nil if it does not.
    package func setNetworkAddress(_ url: String?) { addresses.setNetworkAddress(url) }

    /// Ends the playback of the jukebox, and keeps its queue.
    package func stopJukebox() async { await jukebox.jukebox?.close() }

    /// Reports at `/ready` from now on that the host is stopping.
    package func drain() { readiness.drain() }

    /// Stops background work; files that are being analysed are requeued.
    package func stop(withinSeconds seconds: Double = 0) {
        follower?.follower.stop()
        listening.stopSharing()
        forwarder.stop()
        recordings.stopAll(withinSeconds: max(1, seconds))
        relays.stopAll()
        analysis.stop(withinSeconds: seconds)
    }

    /// Returns a responder for all routes.
    package func responder(
        onError: @escaping @Sendable (any Error, HTTPRequest) -> Void = { _, _ in }
    ) -> RoutedResponder {
        let router = Router(metrics: requests)
        router.add(StorageFailureMiddleware(report: report))
        router.add(SharedListeningMiddleware())
        if settings.requiresNoKey {
            router.add(LocalPagesMiddleware(hostName: settings.name))
        } else {
            // Pages of any origin may connect if they have the key.
            router.add(CORSMiddleware())
        }
        if let site = settings.webPlayer { WebPlayerRoutes(site: site).add(to: router) }
        reference.add(to: router)
        let open = followed(router)
        for routes in openRoutes + [description] {
            routes.add(to: CheckedRoutes(open, describedBy: type(of: routes).operations))
        }
        subsonic.add(to: followed(router, isSubsonic: true))
        shareRoutes.add(to: open)
        let guarded = followed(router.group(middleware: [access]))
        for routes in guardedRoutes {
            routes.add(to: CheckedRoutes(guarded, describedBy: type(of: routes).operations))
        }
        return router.build(onError: onError)
    }

    /// Returns a collection that forwards to the primary what must be, if this host follows one.
    private func followed(_ routes: any RouteCollection, isSubsonic: Bool = false) -> any RouteCollection {
        guard let follower else { return routes }
        return isSubsonic ? follower.subsonicRoutes(routes) : follower.routes(routes)
    }
}
