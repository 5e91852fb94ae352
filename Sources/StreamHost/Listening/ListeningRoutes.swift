internal import APIDescription
internal import Companion
internal import Foundation
internal import HostAccounts
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

/// Routes for stars, ratings, plays and history, which are shared by all clients of an account.
///
/// The ETag of every response covers the state of both the listening data and the library.
struct ListeningRoutes: DescribedRoutes {
    let listening: ListeningStore
    /// Called after stars, ratings or plays of an account have changed.
    let changed: @Sendable (_ accountID: Int) -> Void

    func add(to routes: some RouteCollection) {
        routes.post(Routes.listeningActions) { request in
            let actions = try await request.json(ListeningActionsContent.self).actions
            guard actions.count <= ListeningLimits.actions else {
                throw APIError.tooManyActions(
                    "Send at most \(ListeningLimits.actions) actions at a time.", field: "actions")
            }
            return try .json(try apply(actions, try own(request)))
        }
        routes.get(Routes.listenedTracks) { request in
            try list(request) { try $0.tracks($1, limit: $2, offset: $3) }
        }
        routes.get(Routes.listenedAlbums) { request in
            try list(request) { try $0.albums($1, limit: $2, offset: $3) }
        }
        routes.get(Routes.listenedArtists) { request in
            try list(request) { try $0.artists($1, limit: $2, offset: $3) }
        }
        routes.get(Routes.playCounts) { request in
            try own(request).answer(request) { try $0.playCounts() }
        }
        routes.get(Routes.listenedTrack) { request in
            try one(request, "track_id") { try $0.track(id: $1)?.listening }
        }
        routes.get(Routes.listenedAlbum) { request in
            try one(request, "album_id") { try $0.album(id: $1)?.listening }
        }
        routes.get(Routes.listenedArtist) { request in
            try one(request, "artist_id") { try $0.artist(id: $1)?.listening }
        }
        routes.patch(Routes.listenedTrack) { request in
            try await change(request, "track_id", { $0.trackID = $1 }) { try $0.track(id: $1)?.listening }
        }
        routes.patch(Routes.listenedAlbum) { request in
            try await change(request, "album_id", { $0.albumID = $1 }) { try $0.album(id: $1)?.listening }
        }
        routes.patch(Routes.listenedArtist) { request in
            try await change(request, "artist_id", { $0.artistID = $1 }) { try $0.artist(id: $1)?.listening }
        }
        routes.get(Routes.nowPlaying) { try .json(try own($0).nowPlaying()) }
        addHistory(to: routes)
    }

    /// The listening data of the caller's account.
    func own(_ request: HTTPRequest) throws -> AccountListening {
        listening.account(try request.caller.accountID)
    }

    private func apply(
        _ actions: [ListeningAction], _ own: AccountListening
    ) throws -> ListeningResults {
        let results = try own.apply(actions)
        if results.results.contains(where: { $0.status == .applied }) { changed(own.accountID) }
        return results
    }

    private func list<Item: Encodable>(
        _ request: HTTPRequest,
        _ read: (ListeningReader, ListeningList, _ limit: Int, _ offset: Int) throws -> CataloguePage<Item>
    ) throws -> HTTPResponse {
        let list = try request.value(Self.list)
        let (limit, offset) = (try request.value(Query.limit), try request.value(Query.offset))
        return try own(request).answer(request) { try read($0, list, limit, offset) }
    }

    private func one(
        _ request: HTTPRequest, _ name: String, _ read: (ListeningReader, Int) throws -> ListeningState?
    ) throws -> HTTPResponse {
        let id: Int = try request.parameters.require(name)
        return try own(request).answer(request, isThere: false) { try read($0, id) }
    }

    /// Converts a state update to actions, applies them and returns the resulting state.
    private func change(
        _ request: HTTPRequest, _ name: String, _ aim: (inout ListeningAction, Int) -> Void,
        _ read: (ListeningReader, Int) throws -> ListeningState?
    ) async throws -> HTTPResponse {
        let id: Int = try request.parameters.require(name)
        let patch = try await request.json(ListeningPatch.self)
        var actions: [ListeningAction] = []
        if let isStarred = patch.isStarred { actions.append(ListeningAction(isStarred ? .star : .unstar)) }
        if let rating = patch.rating {
            var action = ListeningAction(.rate)
            action.rating = rating
            actions.append(action)
        }
        for index in actions.indices {
            actions[index].at = patch.at
            aim(&actions[index], id)
        }
        let own = try own(request)
        if let refusal = try apply(actions, own).results.compactMap(\.error).first {
            throw HTTPError(
                refusal.code == "invalid_field" ? .unprocessableContent : .notFound, code: refusal.code,
                message: refusal.message, field: refusal.field)
        }
        return try own.answer(request, isThere: false) { try read($0, id) }
    }
}

extension AccountListening {
    /// Answers with listening data and a tag from the same snapshot; 404 if the item does not exist.
    /// - Parameter isThere: Whether the item is known to exist. A client with a current copy then gets 304
    ///   without reading the item.
    func answer<Value: Encodable>(
        _ request: HTTPRequest, isThere: Bool = true, _ read: (ListeningReader) throws -> Value?
    ) throws -> HTTPResponse {
        let (found, tag) = try look { reader -> (Value?, EntityTag) in
            let tag = EntityTag("s1-\(try reader.revision)")
            if isThere, request.hasCurrent(tag) { return (nil, tag) }
            return (try read(reader), tag)
        }
        if let found { return try .json(found, etag: tag) }
        // No content: the server turns this into a 304 anyway.
        if isThere, request.hasCurrent(tag) { return HTTPResponse(fields: [.entityTag: tag.description]) }
        throw request.nothingThere
    }
}
