internal import Companion
internal import CoverImage
internal import HTTPServer
internal import MusicShared

/// Covers of tracks and albums, as they are or smaller.
struct CoverRoutes: DescribedRoutes {
    /// Tracks of an album that are looked at.
    private static let albumSources = 24
    /// Seconds for which a cover is kept without asking, when its address changes with the track.
    private static let freshSeconds = 7 * 24 * 3600

    let library: LibraryStore
    let finder: CoverFinder
    let covers: Covers

    func add(to routes: some RouteCollection) {
        routes.get(Routes.trackCover) { request in
            let id: Int = try request.parameters.require("id")
            guard let source = try library.catalogue({ try $0.coverSource(trackID: id) }) else {
                throw HTTPError(
                    .notFound, code: "no_such_track", message: "There is no track \(id).", field: "id")
            }
            return try await answer(request, [source])
        }
        routes.get(Routes.albumCover) { request in
            let id: Int = try request.parameters.require("album_id")
            let sources = try library.catalogue {
                try $0.coverSources(albumID: id, limit: Self.albumSources)
            }
            guard !sources.isEmpty else {
                throw HTTPError(
                    .notFound, code: "no_such_album", message: "There is no album \(id).", field: "album_id")
            }
            return try await answer(request, sources)
        }
    }

    private func answer(_ request: HTTPRequest, _ sources: [CoverSource]) async throws -> HTTPResponse {
        let parameters = try ListParameters(request, "size", "v", "missing")
        let step = try parameters.integer("size", in: CoverSize.range).flatMap(CoverSize.step)
        let wantsEmpty = try request.wantsEmptyForMissing()
        do {
            guard let picture = try finder.picture(sources) else {
                if wantsEmpty { return HTTPResponse(.noContent) }
                throw HTTPError(
                    .notFound, code: "no_cover",
                    message: "Neither the tags nor the folder hold a cover.")
            }
            var response = try await response(request, picture, step)
            response.fields[.cacheControl] =
                parameters.text("v") == nil
                ? "private, no-cache" : "private, max-age=\(Self.freshSeconds), immutable"
            return response
        } catch let error as CoverImageError {
            throw HTTPError(
                .unprocessableContent, code: "cover_\(error.code.rawValue)",
                message: "The cover cannot be shown: \(error.message).")
        }
    }

    private func response(
        _ request: HTTPRequest, _ picture: Picture, _ step: Int?
    ) async throws -> HTTPResponse {
        let identity = picture.identity
        let tag = EntityTag(identity.hash + (step.map { "-\($0)" } ?? ""))
        // Without content: it would be left out of the 304 that becomes of this.
        if request.hasCurrent(tag) { return Self.response(.empty, identity.format, tag) }
        if let step {
            let finder = finder
            let small = try await covers.small(identity, step: step) { try finder.bytes(of: picture) }
            switch small {
            case .file(let file, let format):
                return Self.response(.file(try FileRegion(file)), format, tag)
            case .bytes(let bytes, let format): return Self.response(.bytes(bytes), format, tag)
            case .original: break
            }
        }
        switch picture.source {
        case .file(let file): return Self.response(.file(try FileRegion(file)), identity.format, tag)
        case .tags: return Self.response(.bytes(try finder.bytes(of: picture)), identity.format, tag)
        }
    }

    private static func response(
        _ body: HTTPResponseBody, _ format: PictureFormat, _ tag: EntityTag
    ) -> HTTPResponse {
        HTTPResponse(
            fields: [
                .contentType: format.mediaType,
                .entityTag: tag.description,
                // What was checked to be a picture is not to be taken for anything else.
                .xContentTypeOptions: "nosniff",
            ], body: body, allowsRanges: true)
    }
}
