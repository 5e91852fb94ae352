internal import Companion
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic

/// State of the server and of scans.
struct SystemEndpoints: SubsonicEndpoints {
    let library: LibraryStore
    /// Returns how many files wait for analysis.
    let queueLength: @Sendable () throws -> Int
    /// Requests a scan of the music folder.
    let requestScan: @Sendable () -> Void

    var handlers: [String: Handler] {
        [
            "ping": { _ in .empty },
            "getLicense": { _ in
                var license = SubsonicObject()
                license.add("valid", true)
                return .element("license", license)
            },
            "tokenInfo": { call in
                // Only an API key names the account by itself.
                guard call.request.text("apiKey")?.isEmpty == false else {
                    throw SubsonicError(
                        .invalidAPIKey, "tokenInfo describes an API key: sign in with apiKey.")
                }
                var info = SubsonicObject()
                info.add("username", call.account.name)
                return .element("tokenInfo", info)
            },
            "getScanStatus": { _ in try scanStatus(isRequested: false) },
            "startScan": { _ in
                requestScan()
                return try scanStatus(isRequested: true)
            },
            "getAvatar": { _ in throw SubsonicError(.notFound, "Accounts have no avatars.") },
        ]
    }

    /// The analysis of new files counts as part of a scan.
    private func scanStatus(isRequested: Bool) throws -> SubsonicAnswer {
        var status = SubsonicObject()
        status.add("scanning", try isRequested || queueLength() > 0)
        status.add("count", try library.trackCount())
        return .element("scanStatus", status)
    }
}
