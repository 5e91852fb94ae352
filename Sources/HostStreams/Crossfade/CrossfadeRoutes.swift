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
        var options = CrossfadePlan.Options()
        options.targetLUFS = try request.value(Self.targetLUFS)
        options.maximumSeconds = try request.value(Self.maximumSeconds)
        options.mode = try request.value(Self.mode)
        options.maximumBeats = try request.value(Self.maximumBeats)
        options.onlyWhenItFits = try request.value(Self.onlyWhenItFits)
        return try .json(
            library.crossfadePlan(
                from: facts(Self.from, request), to: facts(Self.to, request), options: options))
    }

    private func facts(_ parameter: QueryParameter<Int>, _ request: HTTPRequest) throws -> CrossfadeTrack {
        let id = try request.value(parameter)
        guard let track = try library.track(id: id) else {
            throw APIError.noSuchTrack("There is no track \(id).", field: parameter.name)
        }
        guard let facts = CrossfadeTrack(track) else {
            throw APIError.notAnalysed("Track \(id) has not been analysed yet.", field: parameter.name)
        }
        return facts
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
