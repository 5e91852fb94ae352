internal import Companion
internal import HTTPServer

extension SubsonicRoutes {
    /// The host's parts that the endpoints use.
    struct Parts {
        let music: MusicFolder
        let library: LibraryStore
        let listening: ListeningStore
        let tracks: StreamedTracks
        let renditions: Renditions
        let covers: CoverRoutes
        let secrets: CurrentSecrets
        let queue: AnalysisQueue
        let analysis: HostAnalysis
        /// Called after a star, rating or play.
        let listeningChanged: @Sendable () -> Void
    }

    /// Returns all endpoints that need an account.
    static func groups(of parts: Parts) -> [any SubsonicEndpoints] {
        let (queue, analysis) = (parts.queue, parts.analysis)
        let folderName = parts.music.displayPath.split(separator: "/").last.map(String.init) ?? "Music"
        return [
            SystemEndpoints(
                library: parts.library, queueLength: { try queue.length },
                requestScan: { analysis.requestScan() }),
            BrowsingEndpoints(listening: parts.listening, folderName: folderName),
            ListEndpoints(listening: parts.listening),
            SearchEndpoints(listening: parts.listening),
            SimilarityEndpoints(listening: parts.listening),
            LyricsEndpoints(library: parts.library, lyrics: LyricsLibrary(parts.music)),
            MediaEndpoints(
                tracks: parts.tracks, renditions: parts.renditions, library: parts.library,
                covers: parts.covers, secrets: parts.secrets),
            PlaylistEndpoints(library: parts.library, listening: parts.listening),
            ListeningEndpoints(listening: parts.listening, changed: parts.listeningChanged),
            QueueEndpoints(listening: parts.listening),
            RadioEndpoints(listening: parts.listening),
            AnalysisEndpoints(library: parts.library),
        ]
    }
}
