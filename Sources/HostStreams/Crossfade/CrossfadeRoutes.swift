internal import APIDescription
internal import Companion
package import HTTPServer
package import LibraryStore
package import MusicShared

/// Plans transitions between two tracks. The plan itself is computed by ``MusicShared/CrossfadePlan``.
package struct CrossfadeRoutes: DescribedRoutes {
    let library: LibraryStore

    /// Memberwise initializer.
    package init(library: LibraryStore) {
        self.library = library
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.crossfade) { try plan($0) }
    }

    private func plan(_ request: HTTPRequest) throws -> HTTPResponse {
        let from = try track("from", request)
        let to = try track("to", request)
        var options = CrossfadePlan.Options()
        options.targetLUFS =
            try number("target_lufs", request, in: CrossfadePlan.Options.targetRange) ?? options.targetLUFS
        options.maximumSeconds =
            try number("max_seconds", request, in: CrossfadePlan.Options.maximumRange)
            ?? options.maximumSeconds
        return try .json(
            library.crossfadePlan(from: facts(from, "from"), to: facts(to, "to"), options: options))
    }

    private func track(_ field: String, _ request: HTTPRequest) throws -> AnalysedTrack {
        let id: Int = try request.query.require(field)
        guard let track = try library.track(id: id) else {
            throw HTTPError(
                .notFound, code: "no_such_track", message: "There is no track \(id).", field: field)
        }
        return track
    }

    private func facts(_ track: AnalysedTrack, _ field: String) throws -> CrossfadeTrack {
        guard let facts = CrossfadeTrack(track) else {
            throw HTTPError(
                .conflict, code: "not_analysed",
                message: "Track \(track.track.id) has not been analysed yet.",
                field: field)
        }
        return facts
    }

    private func number(
        _ field: String, _ request: HTTPRequest, in range: ClosedRange<Double>
    ) throws -> Double? {
        guard let value = try request.query.get(field, as: Double.self) else { return nil }
        guard range.contains(value) else {
            throw HTTPError(
                .unprocessableContent, code: "invalid_parameter",
                message: "\(field) must be between \(range.lowerBound) and \(range.upperBound).", field: field
            )
        }
        return value
    }
}

extension LibraryStore {
    /// Plans the transition between two tracks, with the loudness of the album if they share one.
    package func crossfadePlan(
        from outgoing: CrossfadeTrack, to incoming: CrossfadeTrack,
        options: CrossfadePlan.Options = CrossfadePlan.Options()
    ) throws -> CrossfadePlan {
        var (outgoing, incoming) = (outgoing, incoming)
        if let album = outgoing.place?.albumID, album == incoming.place?.albumID,
            let loudness = try albumLoudness(id: album)
        {
            outgoing.albumLoudness = CrossfadeTrack.Loudness(loudness)
            incoming.albumLoudness = CrossfadeTrack.Loudness(loudness)
        }
        return CrossfadePlan(from: outgoing, to: incoming, options: options)
    }
}
