internal import APIDescription
internal import Catalogue
internal import Companion
internal import HostAccounts
internal import HostEditing
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

/// Serves the catalogue as JSON: lists of artists, albums and tracks, and single items.
///
/// The ETag of every response is the library's revision, so unchanged lists are answered with 304 without
/// being read.
struct CatalogueRoutes: DescribedRoutes {
    let library: LibraryStore
    let listening: ListeningStore

    func add(to routes: some RouteCollection) {
        routes.get(Routes.tracks) { try tracks($0) }
        routes.post(Routes.trackLookup) { request in
            let lookup = try await request.json(TrackLookupContent.self).lookup()
            return try .json(CatalogueList(items: library.catalogue { try $0.tracks(lookup) }))
        }
        routes.get(Routes.randomTracks) { try randomTracks($0) }
        routes.get(Routes.track) { request in
            let id: Int = try request.parameters.require("id")
            if try request.value(Self.includesListening) {
                let own = listening.account(try request.caller.accountID)
                return try own.answer(request, isThere: false) { try $0.track(id: id) }
            }
            // The tag also names the state of the file, so that an edit can use it as If-Match.
            return try library.answer(request, isThere: false, { try $0.track(id: id) }) { reader in
                try reader.fileState(trackID: id).map {
                    EntityTag("\(FileStateTag.text($0))/\(try reader.tagText)")
                }
            }
        }
        routes.get(Routes.albums) { try albums($0) }
        routes.get(Routes.album) { request in
            let id: Int = try request.parameters.require("album_id")
            return try answer(request, isList: false) { try $0.album(id: id) }
        }
        routes.get(Routes.artists) { try artists($0) }
        routes.get(Routes.artist) { request in
            let id: Int = try request.parameters.require("artist_id")
            return try answer(request, isList: false) { try $0.artist(id: id) }
        }
        routes.get(Routes.genres) { request in
            try answer(request) { CatalogueList(items: try $0.genres()) }
        }
        routes.get(Routes.years) { request in
            try answer(request) { CatalogueList(items: try $0.years()) }
        }
        routes.get(Routes.changes) { try changes($0) }
    }

    private func tracks(_ request: HTTPRequest) throws -> HTTPResponse {
        let albumID = try request.value(Self.albumID)
        let search = try request.value(Query.search)
        var query = try query(
            request, Self.trackSort, standard: search != nil ? .relevance : albumID != nil ? .album : .artist)
        query.albumID = albumID
        query.artistID = try request.value(Self.artistID)
        (query.genre, query.year) = (try request.value(Self.genre), try request.value(Self.year))
        (query.fromYear, query.toYear) = (try request.value(Self.fromYear), try request.value(Self.toYear))
        if try request.value(Self.includesListening) {
            let query = query
            let own = listening.account(try request.caller.accountID)
            return try own.answer(request) { reader in
                var page = try reader.catalogue.tracks(query)
                page.items = try reader.withStates(page.items)
                return page
            }
        }
        return try answer(request) { try $0.tracks(query) }
    }

    /// Each request has other tracks, so that its answer has no tag.
    private func randomTracks(_ request: HTTPRequest) throws -> HTTPResponse {
        let limit = try request.value(Query.limit)
        var pick = RandomPick()
        pick.genre = try request.value(Self.genre)
        (pick.fromYear, pick.toYear) = (try request.value(Self.fromYear), try request.value(Self.toYear))
        let wanted = pick
        let tracks = try library.catalogue { try $0.randomTracks(wanted, limit: limit) }
        var response = try HTTPResponse.json(CatalogueList(items: tracks))
        response.fields[.cacheControl] = "no-store"
        return response
    }

    private func albums(_ request: HTTPRequest) throws -> HTTPResponse {
        let search = try request.value(Query.search)
        var query = try query(request, Self.albumSort, standard: search != nil ? .relevance : .title)
        query.artistID = try request.value(Self.artistID)
        (query.genre, query.year) = (try request.value(Self.genre), try request.value(Self.year))
        return try answer(request) { try $0.albums(query) }
    }

    private func artists(_ request: HTTPRequest) throws -> HTTPResponse {
        let search = try request.value(Query.search)
        let query = try query(request, Self.artistSort, standard: search != nil ? .relevance : .name)
        return try answer(request) { try $0.artists(query) }
    }

    /// Changes since a revision. The tag is the catalogue's revision alone: changes of playlists, for
    /// example, do not affect it.
    private func changes(_ request: HTTPRequest) throws -> HTTPResponse {
        let (since, limit) = (try request.value(Self.since), try request.value(Self.changeLimit))
        return try library.answer(request) {
            try $0.changes(since: since, limit: limit)
        } tag: {
            try EntityTag("d1-\($0.catalogueRevision)")
        }
    }

    private func query<Sort>(
        _ request: HTTPRequest, _ sort: QueryParameter<SortOrder<Sort>?>, standard: Sort
    ) throws -> CatalogueQuery<Sort> {
        let order = try request.value(sort)
        var query = CatalogueQuery(sort: order?.key ?? standard, limit: try request.value(Query.limit))
        query.isDescending = order?.isDescending ?? false
        query.offset = try request.value(Query.offset)
        query.text = try request.value(Query.search)
        return query
    }

    private func answer<Value: Encodable>(
        _ request: HTTPRequest, isList: Bool = true, _ read: (CatalogueReader) throws -> Value?
    ) throws -> HTTPResponse {
        // Lists always exist; whether a single item exists must be looked up first, which is fast.
        try library.answer(request, isThere: isList, read) { try EntityTag($0.tagText) }
    }
}

extension CatalogueReader {
    /// Names the state in tags by the revision of the library and of the catalogue: a restored library counts
    /// on from an earlier revision.
    fileprivate var tagText: String { get throws { "c1-\(try revision)-\(try catalogueRevision)" } }
}

extension LibraryStore {
    /// Answers with part of the catalogue and a tag from the same snapshot; 404 if it does not exist.
    /// - Parameters:
    ///   - isThere: Whether a non-nil tag implies that the item exists. A client with a current copy then
    ///     gets 304 without reading the item.
    ///   - tag: The tag of the response. It must change with everything that the response contains.
    func answer<Value: Encodable>(
        _ request: HTTPRequest, isThere: Bool = true, _ read: (CatalogueReader) throws -> Value?,
        tag: (CatalogueReader) throws -> EntityTag?
    ) throws -> HTTPResponse {
        let (found, tag) = try catalogue { reader -> (Value?, EntityTag?) in
            let tag = try tag(reader)
            if isThere, let tag, request.hasCurrent(tag) { return (nil, tag) }
            return (try read(reader), tag)
        }
        if let found { return try .json(found, etag: tag) }
        // No content: the server turns this into a 304 anyway.
        if isThere, let tag, request.hasCurrent(tag) {
            return HTTPResponse(fields: [.entityTag: tag.description])
        }
        throw request.nothingThere
    }
}
