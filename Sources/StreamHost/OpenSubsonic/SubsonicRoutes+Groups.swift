internal import Companion
internal import HostAccounts
internal import HostStreams
internal import HTTPServer
internal import LibraryStore
internal import MusicFiles

extension SubsonicRoutes {
    /// The host's parts that the endpoints use.
    struct Parts {
        let music: MusicFolder
        let library: LibraryStore
        let accounts: Accounts
        let tracks: StreamedTracks
        let renditions: Renditions
        let covers: CoverRoutes
        let secrets: CurrentSecrets
        let queue: AnalysisQueue
        let analysis: HostAnalysis
        let shared: SharedTracks
        let similar: SimilarTracks
        let jukebox: JukeboxAccess
        /// Called after a star, rating or play of an account.
        let listeningChanged: @Sendable (_ accountID: Int) -> Void
        /// Called after a radio station was changed or removed.
        let stationChanged: @Sendable (_ stationID: Int) -> Void
    }

    /// Returns all endpoints that need an account, for one account.
    static func groups(of parts: Parts, accountID: Int) -> [any SubsonicEndpoints] {
        let listening = parts.accounts.listening.account(accountID)
        let (queue, analysis) = (parts.queue, parts.analysis)
        let folderName = parts.music.displayPath.split(separator: "/").last.map(String.init) ?? "Music"
        return [
            SystemEndpoints(
                library: parts.library, queueLength: { try queue.length },
                requestScan: { analysis.requestScan() }),
            BrowsingEndpoints(listening: listening, folderName: folderName),
            ListEndpoints(listening: listening),
            SearchEndpoints(listening: listening),
            SimilarityEndpoints(listening: listening, similar: parts.similar),
            LyricsEndpoints(library: parts.library, lyrics: LyricsLibrary(parts.music)),
            MediaEndpoints(
                tracks: parts.tracks, renditions: parts.renditions, library: parts.library,
                covers: parts.covers, secrets: parts.secrets),
            PlaylistEndpoints(
                library: parts.library, listening: listening, accounts: parts.accounts),
            ListeningEndpoints(listening: listening, changed: { parts.listeningChanged(accountID) }),
            QueueEndpoints(listening: listening),
            RadioEndpoints(listening: parts.accounts.listening, changed: parts.stationChanged),
            AccountEndpoints(accounts: parts.accounts, jukebox: parts.jukebox),
            JukeboxEndpoints(access: parts.jukebox, listening: listening),
            AnalysisEndpoints(library: parts.library),
            ShareEndpoints(accounts: parts.accounts, shared: parts.shared, listening: listening),
        ]
    }
}
