internal import APIDescription
internal import Catalogue
internal import Companion
internal import HostStreams
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

/// Serves profiles of tracks by path, for players that use the Companion API. They are read from the library,
/// never computed on request: files that have not been analysed are queued, and the response has their
/// position.
struct SmartDJRoutes: DescribedRoutes {
    let library: LibraryStore
    let unanalysed: UnanalysedTracks

    func add(to routes: some RouteCollection) {
        routes.get(Routes.profile) { try profile($0) }
        routes.get(Routes.bulkProfiles) { request in
            let values = request.query.values(of: "paths")
            guard !values.isEmpty else {
                throw APIError.missingParameter("The query parameter is missing.", field: "paths")
            }
            let paths = try library.catalogue { reader in
                try values.flatMap { value in
                    try PathList.paths(in: value) { text in
                        try RelativePath(text: text).flatMap { try reader.profile(at: $0) } != nil
                    }
                }
            }
            return try await bulk(paths)
        }
        routes.post(Routes.bulkProfiles) { request in
            try await bulk(request.json(BulkProfilesRequest.self).paths)
        }
    }

    private func profile(_ request: HTTPRequest) throws -> HTTPResponse {
        let text = try request.value(Query.relativePath)
        guard let path = RelativePath(text: text),
            let (profile, revision) = try library.catalogue({ reader in
                try reader.profile(at: path).map { ($0, try reader.revision) }
            })
        else { return try unanalysed.answer(text) }
        return try .json(profile, etag: EntityTag("p1-\(profile.id)-\(revision)"))
    }

    private func bulk(_ paths: [String]) async throws -> HTTPResponse {
        guard paths.count <= BulkProfilesRequest.largestCount else {
            throw APIError.tooManyPaths(
                "Send at most \(BulkProfilesRequest.largestCount) paths at a time.", field: "paths")
        }
        return try await BulkAnswer(library: library, unanalysed: unanalysed, paths: paths).response()
    }
}

extension BulkProfilesRequest: JSONContent {
    static let keys = ["paths"]
}
