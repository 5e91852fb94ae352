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
        routes.get(Routes.track) { request in
            let parameters = try ListParameters(request, "include")
            let id: Int = try request.parameters.require("id")
            if try Self.includesListening(parameters) {
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
            let own = listening.account(try request.caller.accountID)
            return try own.answer(request) { reader in
                var page = try reader.catalogue.tracks(query)
                page.items = try reader.withStates(page.items)
                return page
            }
        }
        return try answer(request) { try $0.tracks(query) }
    }

    /// Whether the client also requests stars, ratings and plays. If not, only the library database is read.
    private static func includesListening(_ parameters: ListParameters) throws -> Bool {
        switch parameters.text("include") {
        case nil: return false
        case "listening": return true
        default:
            throw HTTPError(
                .unprocessableContent, code: "invalid_parameter", message: "include must be \"listening\".",
                field: "include"
            )
        }
    }

    private func albums(_ request: HTTPRequest) throws -> HTTPResponse {
        let parameters = try ListParameters(
            request, "q", "artist_id", "genre", "year", "sort", "limit", "offset")
        let query = try query(parameters, sort: parameters.search != nil ? AlbumSort.relevance : .title)
        return try answer(request) { try $0.albums(query) }
    }

    private func artists(_ request: HTTPRequest) throws -> HTTPResponse {
        let parameters = try ListParameters(request, "q", "sort", "limit", "offset")
        let query = try query(parameters, sort: parameters.search != nil ? ArtistSort.relevance : .name)
        return try answer(request) { try $0.artists(query) }
    }

    /// Changes since a revision. The tag is the catalogue's revision alone: changes of playlists, for
    /// example, do not affect it.
    private func changes(_ request: HTTPRequest) throws -> HTTPResponse {
        let parameters = try ListParameters(request, "since", "limit")
        let since = try parameters.text("since").map { text throws(HTTPError) in
            guard let revision = CatalogueRevision(text) else {
                throw HTTPError(
                    .unprocessableContent, code: "invalid_parameter",
                    message: "since must be a revision from an earlier response; omit it to start over.",
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
