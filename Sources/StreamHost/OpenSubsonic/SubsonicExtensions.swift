internal import OpenSubsonic

/// The parts of the protocol beyond Subsonic 1.16.1, and those that this server does not have.
enum SubsonicExtensions {
    /// The answer to getOpenSubsonicExtensions, which needs no account.
    static let response = SubsonicResponse(
        list: "openSubsonicExtensions",
        [
            OpenSubsonicExtension("apiKeyAuthentication"),
            // Ours; docs/apps.md describes it.
            OpenSubsonicExtension("audioCompanionAnalysis"),
            OpenSubsonicExtension("formPost"),
            OpenSubsonicExtension("indexBasedQueue"),
            OpenSubsonicExtension("playbackReport"),
            OpenSubsonicExtension("sonicSimilarity"),
            OpenSubsonicExtension("songLyrics", versions: [1, 2]),
            OpenSubsonicExtension("topSongsByArtistId"),
            OpenSubsonicExtension("transcodeOffset"),
            OpenSubsonicExtension("transcoding"),
        ])

    /// Endpoints of the protocol for which there is nothing here: podcasts, videos, chat.
    static let unsupported: Set = [
        "search", "getVideos", "getVideoInfo", "getCaptions", "getPodcasts", "getNewestPodcasts",
        "getPodcastEpisode", "refreshPodcasts", "createPodcastChannel", "deletePodcastChannel",
        "deletePodcastEpisode", "downloadPodcastEpisode", "getChatMessages", "addChatMessage",
    ]
}
