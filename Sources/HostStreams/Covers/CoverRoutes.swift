internal import APIDescription
internal import CoverImage
package import HTTPServer
package import LibraryStore
internal import MusicShared

/// Serves covers of tracks and albums, in original size or scaled down.
package struct CoverRoutes: DescribedRoutes {
    /// Maximum number of an album's tracks to search for a cover.
    package static let albumSources = 24
    /// How long clients may cache a cover in seconds if its URL has a version.
    private static let freshSeconds = 7 * 24 * 3600
    /// How long they may cache that a cover is missing: a picture added to the folder does not change the version.
    private static let missingFreshSeconds = 3600

    let library: LibraryStore
    let finder: CoverFinder
    let covers: Covers

    /// Memberwise initializer.
    package init(library: LibraryStore, finder: CoverFinder, covers: Covers) {
        self.library = library
        self.finder = finder
        self.covers = covers
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.trackCover) { request in
            let id: Int = try request.parameters.require("id")
            guard let source = try library.catalogue({ try $0.coverSource(trackID: id) }) else {
                throw APIError.noSuchTrack("There is no track \(id).", field: "id")
            }
            return try await answer(request, [source])
        }
        routes.get(Routes.albumCover) { request in
            let id: Int = try request.parameters.require("album_id")
            let sources = try library.catalogue {
                try $0.coverSources(albumID: id, limit: Self.albumSources)
            }
            guard !sources.isEmpty else {
                throw APIError.noSuchAlbum("There is no album \(id).", field: "album_id")
            }
            return try await answer(request, sources)
        }
    }

    package func answer(_ request: HTTPRequest, _ sources: [CoverSource]) async throws -> HTTPResponse {
        let step = try request.value(Self.size).flatMap(CoverSize.step)
        let hasVersion = try request.value(Self.version) != nil
        let wantsEmpty = try request.value(Query.emptyForMissing)
        do {
            guard let picture = try finder.picture(sources) else {
                if wantsEmpty { return Self.missing(hasVersion: hasVersion) }
                throw APIError.noCover("Neither the tags nor the folder contain a cover.")
            }
            var response = try await response(request, picture, step)
            response.fields[.cacheControl] =
                hasVersion
                ? "private, max-age=\(Self.freshSeconds), immutable" : "private, no-cache"
            return response
        } catch let error as CoverImageError {
            throw Self.cover(error.code)("The cover cannot be shown: \(error.message).")
        }
    }

    private static func missing(hasVersion: Bool) -> HTTPResponse {
        HTTPResponse(
            .noContent,
            fields: [
                .cacheControl: hasVersion ? "private, max-age=\(missingFreshSeconds)" : "private, no-cache"
            ])
    }

    private func response(
        _ request: HTTPRequest, _ picture: Picture, _ step: Int?
    ) async throws -> HTTPResponse {
        let identity = picture.identity
        let tag = EntityTag(identity.hash + (step.map { "-\($0)" } ?? ""))
        // No content: the server turns this into a 304 anyway.
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
                // The content was verified to be a picture; browsers must not treat it as anything else.
                .xContentTypeOptions: "nosniff",
            ], body: body, allowsRanges: true)
    }
}
