internal import Catalogue
internal import Companion
internal import HTTPServer
internal import MusicShared

/// The catalogue as JSON: artists, albums, tracks; lists, and one of each.
///
/// The tag of every answer is the library's revision: as long as nothing changes, a client that has an answer is told so
/// without the list being looked at.
struct CatalogueRoutes: DescribedRoutes {
    let library: LibraryStore
    let listening: ListeningStore

    func add(to routes: some RouteCollection) {
        routes.get(Routes.tracks) { try tracks($0) }
        routes.get(Routes.track) { request in
            let parameters = try ListParameters(request, "include")
            let id: Int = try request.parameters.require("id")
            if try Self.includesListening(parameters) {
                return try listening.answer(request, isThere: false) { try $0.track(id: id) }
            }
            // With the state of the file before the library's, so that an edit can name it.
            return try library.answer(request, isThere: false, { try $0.track(id: id) }) { reader in
                try reader.fileState(trackID: id).map {
                    EntityTag("\(FileStateTag.text($0))/\(try reader.tagText)")
                }
            }
        }
        routes.get(Routes.albums) { try albums($0) }
        routes.get(Routes.album) { request in
            _ = try ListParameters(request)
            let id: Int = try request.parameters.require("album_id")
            return try answer(request, isList: false) { try $0.album(id: id) }
        }
        routes.get(Routes.artists) { try artists($0) }
        routes.get(Routes.artist) { request in
            _ = try ListParameters(request)
            let id: Int = try request.parameters.require("artist_id")
            return try answer(request, isList: false) { try $0.artist(id: id) }
        }
        routes.get(Routes.changes) { try changes($0) }
    }

    private func tracks(_ request: HTTPRequest) throws -> HTTPResponse {
        let parameters = try ListParameters(
            request, "q", "artist_id", "album_id", "genre", "year", "sort", "limit", "offset", "include")
        let albumID = try parameters.id("album_id")
        let standard: TrackSort =
            parameters.search != nil ? .relevance : albumID != nil ? .album : .artist
        var query = try query(parameters, sort: standard)
        query.albumID = albumID
        if try Self.includesListening(parameters) {
            let query = query
            return try listening.answer(request) { reader in
                var page = try reader.catalogue.tracks(query)
                page.items = try page.items.map(reader.withState)
                return page
            }
        }
        return try answer(request) { try $0.tracks(query) }
    }

    /// Whether a client asks for stars, ratings and plays too. Who does not asks the library alone.
    private static func includesListening(_ parameters: ListParameters) throws -> Bool {
        switch parameters.text("include") {
        case nil: return false
        case "listening": return true
        default:
            throw HTTPError(
                .badRequest, code: "invalid_parameter", message: "include is \"listening\".", field: "include"
            )
        }
    }

    private func albums(_ request: HTTPRequest) throws -> HTTPResponse {
        let parameters = try ListParameters(
            request, "q", "artist_id", "genre", "year", "sort", "limit", "offset")
        let query = try query(parameters, sort: AlbumSort.title)
        return try answer(request) { try $0.albums(query) }
    }

    private func artists(_ request: HTTPRequest) throws -> HTTPResponse {
        let parameters = try ListParameters(request, "q", "sort", "limit", "offset")
        let query = try query(parameters, sort: ArtistSort.name)
        return try answer(request) { try $0.artists(query) }
    }

    /// What has changed since a state, with a tag of its own: playlists, say, are no matter here.
    private func changes(_ request: HTTPRequest) throws -> HTTPResponse {
        let parameters = try ListParameters(request, "since", "limit")
        let since = try parameters.text("since").map { text throws(HTTPError) in
            guard let revision = CatalogueRevision(text) else {
                throw HTTPError(
                    .badRequest, code: "invalid_parameter",
                    message: "since is a revision as an earlier answer told it; left out, one begins anew.",
                    field: "since")
            }
            return revision
        }
        let limit = try parameters.limit(standard: CatalogueLimits.largestPage)
        return try library.answer(request) {
            try $0.changes(since: since, limit: limit)
        } tag: {
            try EntityTag("d1-\($0.catalogueRevision)")
        }
    }

    private func query<Sort: RawRepresentable<String> & CaseIterable>(
        _ parameters: ListParameters, sort standard: Sort
    ) throws -> CatalogueQuery<Sort> {
        let order = try parameters.sort(standard)
        var query = CatalogueQuery(sort: order.sort, limit: try parameters.limit())
        query.isDescending = order.isDescending
        query.offset = try parameters.offset()
        query.text = parameters.search
        query.artistID = try parameters.id("artist_id")
        query.genre = parameters.text("genre")
        query.year = try parameters.integer("year", in: 1...9999)
        return query
    }

    private func answer<Value: Encodable>(
        _ request: HTTPRequest, isList: Bool = true, _ read: (CatalogueReader) throws -> Value?
    ) throws -> HTTPResponse {
        // Lists are always there; of one thing that has to be found out first, and is quickly.
        try library.answer(request, isThere: isList, read) { try EntityTag($0.tagText) }
    }
}

extension CatalogueReader {
    /// What names the state in tags: that of the library and, since one that was restored counts on from before, that of the
    /// catalogue.
    fileprivate var tagText: String { get throws { "c1-\(try revision)-\(try catalogueRevision)" } }
}

extension LibraryStore {
    /// Answers with something of the catalogue, with a tag of the same moment; 404 where there is no such thing.
    /// - Parameters:
    ///   - isThere: whether it is known that there is such a thing, once there is a tag. A client that has the state of the
    ///     tag is then answered without reading.
    ///   - tag: the tag of the answer. It has to change with everything that the answer holds.
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
        // Without content: it would be left out of the 304 that becomes of this.
        if isThere, let tag, request.hasCurrent(tag) {
            return HTTPResponse(fields: [.entityTag: tag.description])
        }
        throw HTTPError(.notFound, code: "not_found", message: "There is nothing of this number.")
    }
}

extension HTTPRequest {
    /// Whether the client has the state of a tag already.
    func hasCurrent(_ tag: EntityTag) -> Bool {
        (method == .get || method == .head)
            && Preconditions(entityTag: tag).evaluate(fields, byteCount: nil) == .notModified
    }
}
