internal import FileSystem
internal import HTTPServer
internal import LibraryStore
internal import MusicFiles
internal import MusicShared

/// The parts of a host that follows another one.
struct FollowerParts: Sendable {
    /// Maximum size of stored covers and spectra in bytes.
    private static let storedBytes = 2 << 30

    let follower: LibraryFollower
    let audio: AudioCopies
    private let forwarder: Forwarder
    private let sharesMusic: Bool
    private let sharesListening: Bool

    init(
        _ following: Following, music: MusicFolder, data: DataFolder, library: LibraryStore,
        listening: ListeningStore, listeningChanged: @escaping @Sendable () -> Void,
        complain: @escaping @Sendable (String) -> Void
    ) {
        follower = LibraryFollower(
            primary: following.primary, data: data, library: library, listening: listening,
            listeningChanged: listeningChanged, complain: complain)
        audio = AudioCopies(
            music: music, library: library, following: following, folder: "\(data.path)/fetched",
            complain: complain)
        let stored = "\(data.path)/stored"
        forwarder = Forwarder(
            primary: following.primary, follower: follower,
            stored: FileCache(folder: stored, capacity: Self.storedBytes))
        sharesMusic = following.sharesMusic
        sharesListening = listening.isShared
        follower.start()
    }

    /// Returns a collection that forwards to the primary what must be.
    func routes(_ routes: any RouteCollection) -> any RouteCollection {
        FollowedRoutes(
            routes, forwarder: forwarder, audio: audio, sharesMusic: sharesMusic,
            sharesListening: sharesListening)
    }

    /// Returns the same for the OpenSubsonic routes.
    func subsonicRoutes(_ routes: any RouteCollection) -> any RouteCollection {
        FollowedSubsonicRoutes(
            routes, forwarder: forwarder, audio: audio, sharesMusic: sharesMusic,
            sharesListening: sharesListening)
    }

    /// How this host keeps up.
    var report: FollowingReport {
        var report = follower.report
        report.cachedAudioBytes = audio.byteCount
        return report
    }
}
