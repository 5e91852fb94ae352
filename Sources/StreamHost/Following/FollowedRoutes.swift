internal import HTTPServer
internal import MusicShared

/// Adds the routes of a follower: those that change anything, and those whose data only the primary has, are answered by the
/// primary. Access is checked here in any case.
final class FollowedRoutes: RouteCollection {
    /// Where a request is answered.
    enum Place {
        /// Here.
        case here
        /// By the primary.
        case primary
        /// Here if the file of the track is here, otherwise by the primary.
        case file
        /// By the primary; the answer is stored, and used while the primary is away.
        case stored
        /// By the primary, and here while it is away: for requests without a body.
        case primaryFirst
        /// By the primary, and here while it is away: for changes of shared listening data.
        case shared
        /// By the primary, and here while it is away: for changes of shared playlists, which must not be made twice.
        case sharedOnce
        /// A WebSocket: by the primary, and here while it is away.
        case relay
    }

    private let routes: any RouteCollection
    private let forwarder: Forwarder
    private let audio: AudioCopies
    private let sharesMusic: Bool
    private let sharesListening: Bool

    init(
        _ routes: any RouteCollection, forwarder: Forwarder, audio: AudioCopies, sharesMusic: Bool,
        sharesListening: Bool
    ) {
        self.routes = routes
        self.forwarder = forwarder
        self.audio = audio
        self.sharesMusic = sharesMusic
        self.sharesListening = sharesListening
    }

    func add(_ middleware: any HTTPMiddleware) { routes.add(middleware) }

    func on(_ method: HTTPMethod, _ path: String, _ handler: RouteHandler) {
        let (forwarder, audio) = (forwarder, audio)
        switch Self.place(method, path, sharesMusic: sharesMusic, sharesListening: sharesListening) {
        case .here: routes.on(method, path, handler)
        case .primary:
            routes.on(method, path, handler.replaced { request, _ in try await forwarder.answer(request) })
        case .stored:
            routes.on(
                method, path, handler.replaced { request, _ in try await forwarder.storedAnswer(request) })
        case .primaryFirst:
            routes.on(
                method, path,
                handler.replaced { request, answer in
                    do { return try await forwarder.answer(request) } catch {
                        return try await answer(request)
                    }
                })
        case .shared:
            routes.on(
                method, path,
                handler.replaced { request, answer in
                    try await forwarder.answer(request, orHere: answer)
                })
        case .sharedOnce:
            routes.on(
                method, path,
                handler.replaced { request, answer in
                    try await forwarder.answerOnce(request, orHere: answer)
                })
        case .relay:
            let relay = WebSocketRelay(forwarder: forwarder)
            routes.on(
                method, path,
                handler.replaced { request, answer in
                    try await answer(request).replacingWebSocketHandler { request, socket, here in
                        try await relay.serve(request, socket, here: here)
                    }
                })
        case .file:
            // A file that is open is here.
            routes.on(
                method, path,
                handler.replaced(keepsImmediate: true) { request, answer in
                    guard let id = request.parameters["id"].flatMap({ Int($0) }) else {
                        return try await answer(request)
                    }
                    return try await Self.answer(request, track: id, audio, forwarder, answer)
                })
        }
    }

    /// Answers a request for audio here if its file is here, otherwise by the primary.
    static func answer(
        _ request: HTTPRequest, track id: Int, _ audio: AudioCopies, _ forwarder: Forwarder,
        _ answer: HTTPResponder
    ) async throws -> HTTPResponse {
        if try audio.hasFile(ofTrack: id) { return try await answer(request) }
        return try await forwarder.answer(
            request,
            absence:
                "The file of track \(id) is not on this host, and the primary host cannot be reached; try again."
        )
    }

    /// Returns where a route is answered.
    static func place(
        _ method: HTTPMethod, _ path: String, sharesMusic: Bool, sharesListening: Bool
    ) -> Place {
        if sharesListening, method != .get {
            if ofListening.contains(path) { return .shared }
            if ofPlaylists.contains(path) { return .sharedOnce }
        }
        guard method == .get else { return readingPosts.contains(path) ? .here : .primary }
        if ofPrimary.contains(path) || path.hasPrefix(Routes.stations) || path.hasPrefix("/share/") {
            return .primary
        }
        if [Routes.remoteChannel, Routes.push].contains(path) { return .relay }
        if path == Routes.clients { return .primaryFirst }
        if [Routes.frames, Routes.visualizer].contains(path) { return .stored }
        if [Routes.lyrics, Routes.trackLyrics].contains(path) { return sharesMusic ? .here : .primary }
        if [Routes.trackCover, Routes.albumCover].contains(path) { return sharesMusic ? .here : .stored }
        return ofFiles.contains(path) ? .file : .here
    }

    /// Requests with a body that change nothing.
    private static let readingPosts: Set<String> = [
        Routes.token, Routes.bulkProfiles, Routes.smartPlaylistCount, Routes.smartPlaylistTracks, Routes.mix,
        Routes.trackLookup,
    ]
    /// Routes of stars, ratings and plays.
    private static let ofListening: Set<String> = [
        Routes.listeningActions, Routes.listenedTrack, Routes.listenedAlbum, Routes.listenedArtist,
        Routes.listeningHistory, Routes.play,
    ]
    /// Routes of playlists.
    private static let ofPlaylists: Set<String> = [
        Routes.playlists, Routes.playlist, Routes.playlistTracks, Routes.playlistEntries,
        Routes.playlistEntry, Routes.smartPlaylists,
    ]
    /// Routes whose data only the primary has.
    private static let ofPrimary: Set<String> = [
        Routes.accounts, Routes.appPasswords, Routes.scrobbling, Routes.jobs, Routes.job, Routes.trash,
        Routes.edits,
        Routes.duplicates, Routes.shares, Routes.resumableUpload, Routes.nowPlaying, Routes.editMetadata,
        Routes.analysisFailures, Routes.jukebox,
    ]
    /// Audio, and what is computed from the file.
    private static let ofFiles: Set<String> = [
        Routes.mediaPlaylist, Routes.masterPlaylist, Routes.segment, Routes.fragment,
        Routes.initializationSegment, Routes.fragmentedFile, Routes.convertedFile, Routes.segmentIndex,
        Routes.file, Routes.fileWithExtension,
    ]
}
