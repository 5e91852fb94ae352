internal import Companion
internal import Foundation
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic

/// Stars, ratings and plays.
struct ListeningEndpoints: SubsonicEndpoints {
    let listening: AccountListening
    /// Called after a change that other clients may show.
    let changed: @Sendable () -> Void

    var handlers: [String: Handler] {
        [
            "star": { try star($0.request, .star) },
            "unstar": { try star($0.request, .unstar) },
            "setRating": { try rate($0.request) },
            "scrobble": { try scrobble($0.request) },
            "reportPlayback": { try reportPlayback($0.request) },
        ]
    }

    /// Applies actions.
    /// - Throws: error 70 where an item does not exist; the others count.
    private func apply(_ actions: [ListeningAction]) throws {
        // The store takes a limited number at once.
        for start in stride(from: 0, to: actions.count, by: ListeningLimits.actions) {
            let part = Array(actions[start..<min(actions.count, start + ListeningLimits.actions)])
            let results = try listening.apply(part).results
            if results.contains(where: { $0.status == .applied }) { changed() }
            guard let refusal = results.lazy.compactMap(\.error).first else { continue }
            throw SubsonicError(refusal.code.hasPrefix("no_such") ? .notFound : .generic, refusal.message)
        }
    }

    private static func action(
        _ kind: ListeningAction.Kind, on id: ItemID, at time: Double? = nil
    ) throws(SubsonicError) -> ListeningAction {
        var action = ListeningAction(kind, at: time)
        switch id {
        case .track(let number): action.trackID = number
        case .album(let number): action.albumID = number
        case .artist(let number): action.artistID = number
        case .playlist, .station, .folder: throw .noSuch("song, album or artist", id.description)
        }
        return action
    }

    /// `id` names songs, and with apps that show folders also albums and artists.
    private func star(_ request: SubsonicRequest, _ kind: ListeningAction.Kind) throws -> SubsonicAnswer {
        let ids = try request.ids("id") + request.ids("albumId") + request.ids("artistId")
        guard !ids.isEmpty else { throw SubsonicError.missing("id") }
        try apply(try ids.map { try Self.action(kind, on: $0) })
        return .empty
    }

    private func rate(_ request: SubsonicRequest) throws -> SubsonicAnswer {
        let id = try request.id()
        let rating = try request.requireInteger("rating")
        guard (0...5).contains(rating) else {
            throw SubsonicError(.generic, "\"rating\" must be from 1 to 5, or 0 to remove it.")
        }
        var action = try Self.action(.rate, on: id)
        action.rating = rating == 0 ? nil : rating
        try apply([action])
        return .empty
    }

    /// Adds plays to the history, or notes what is playing now.
    private func scrobble(_ request: SubsonicRequest) throws -> SubsonicAnswer {
        let tracks = try request.trackIDs("id")
        guard !tracks.isEmpty else { throw SubsonicError.missing("id") }
        let isSubmission = request.flag("submission") ?? true
        let times = request.texts("time")
        let client = Self.client(request)
        let actions = try tracks.enumerated().map { number, track in
            var time: Double?
            if times.indices.contains(number), !times[number].isEmpty {
                guard let milliseconds = Int(times[number]), milliseconds >= 0 else {
                    throw SubsonicError(.generic, "\"time\" must be in milliseconds since 1970.")
                }
                time = Double(milliseconds) / 1000
            }
            var action = try Self.action(isSubmission ? .play : .nowPlaying, on: .track(track), at: time)
            action.client = client
            return action
        }
        try apply(actions)
        return .empty
    }

    /// Shows what a player does, and adds the song to the history when it stops after long enough (the extension
    /// playbackReport).
    private func reportPlayback(_ request: SubsonicRequest) throws -> SubsonicAnswer {
        let id = try request.mediaID()
        let position = try request.requireInteger("positionMs")
        guard position >= 0 else {
            throw SubsonicError(.generic, "\"positionMs\" must be at least 0.")
        }
        guard let state = PlaybackReport.State(rawValue: try request.require("state")) else {
            let names = PlaybackReport.State.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw SubsonicError(.generic, "\"state\" must be one of \(names).")
        }
        var rate = 1.0
        if let text = request.text("playbackRate"), !text.isEmpty {
            guard let number = Double(text), (0.01...100).contains(number) else {
                throw SubsonicError(.generic, "\"playbackRate\" must be from 0.01 to 100.")
            }
            rate = number
        }
        let report = PlaybackReport(
            trackID: id, state: state, positionSeconds: Double(position) / 1000, rate: rate,
            isUncounted: request.flag("ignoreScrobble") ?? false)
        guard let isPlay = try listening.take(report, client: Self.client(request) ?? "") else {
            throw SubsonicError.noSuch("song", ItemID.track(id).description)
        }
        if isPlay { changed() }
        return .empty
    }

    /// The app's name as the store takes it; nil where it names none.
    static func client(_ request: SubsonicRequest) -> String? {
        let name = String(
            String.UnicodeScalarView(
                (request.text("c") ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
                    .prefix(ListeningLimits.nameLength)))
        return name.isEmpty ? nil : name
    }
}
