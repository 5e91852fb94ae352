internal import HTTPServer
internal import MusicShared

/// Adds the OpenSubsonic routes of a follower. The protocol has one route for all endpoints; access is checked by the host that
/// answers.
final class FollowedSubsonicRoutes: RouteCollection {
    /// Endpoints that read, but what only the primary knows.
    private static let ofPrimary: Set<String> = ["getNowPlaying", "getScanStatus", "getShares"]
    /// Endpoints that read the files of music, and so need a shared folder.
    private static let ofMusicFolder: Set<String> = ["getLyrics", "getLyricsBySongId", "getCoverArt"]
    /// Endpoints that read and whose names do not begin with "get".
    private static let readers: Set<String> = [
        "ping", "tokenInfo", "search2", "search3", "findSonicPath", "stream", "download", "hls",
    ]
    /// Endpoints that change stars, ratings, plays, queues and bookmarks.
    private static let ofListening: Set<String> = [
        "star", "unstar", "setRating", "scrobble", "savePlayQueue", "savePlayQueueByIndex", "createBookmark",
        "deleteBookmark", "reportPlayback",
    ]
    /// Endpoints that change playlists.
    private static let ofPlaylists: Set<String> = ["createPlaylist", "updatePlaylist", "deletePlaylist"]
    /// Endpoints of audio, and their parameter that names the track.
    private static let audio = [
        "stream": "id", "download": "id", "hls": "id", "getTranscodeStream": "mediaId",
        "getTranscodeDecision": "mediaId",
    ]

    private let routes: any RouteCollection
    private let forwarder: Forwarder
    private let copies: AudioCopies
    private let sharesMusic: Bool
    private let sharesListening: Bool

    init(
        _ routes: any RouteCollection, forwarder: Forwarder, audio: AudioCopies, sharesMusic: Bool,
        sharesListening: Bool
    ) {
        self.routes = routes
        self.forwarder = forwarder
        copies = audio
        self.sharesMusic = sharesMusic
        self.sharesListening = sharesListening
    }

    func add(_ middleware: any HTTPMiddleware) { routes.add(middleware) }

    func on(_ method: HTTPMethod, _ path: String, _ handler: RouteHandler) {
        let (forwarder, copies) = (forwarder, copies)
        let (sharesMusic, sharesListening) = (sharesMusic, sharesListening)
        routes.on(
            method, path,
            handler.replaced { request, answer in
                let endpoint = request.parameters["endpoint"] ?? ""
                let name = endpoint.hasSuffix(".view") ? String(endpoint.dropLast(5)) : endpoint
                if sharesListening, Self.ofListening.contains(name) {
                    return try await forwarder.answer(request, orHere: answer)
                }
                if sharesListening, Self.ofPlaylists.contains(name) {
                    return try await forwarder.answerOnce(request, orHere: answer)
                }
                guard Self.reads(name) else {
                    return try await forwarder.answer(request, isChange: !name.hasPrefix("get"))
                }
                if !sharesMusic, Self.ofMusicFolder.contains(name) {
                    do { return try await forwarder.answer(request) } catch {
                        // Copies of played files hold some of it.
                        return try await answer(request)
                    }
                }
                guard let parameter = Self.audio[name], request.method == .get,
                    case .track(let id)? = request.query[parameter].flatMap({ ItemID($0) })
                else { return try await answer(request) }
                return try await FollowedRoutes.answer(request, track: id, copies, forwarder, answer)
            })
    }

    /// Whether an endpoint is answered from the copies. An unknown one is left to the primary.
    static func reads(_ name: String) -> Bool {
        !ofPrimary.contains(name) && (name.hasPrefix("get") || readers.contains(name))
    }
}
