internal import Catalogue
internal import Companion
internal import HTTPServer
internal import MusicShared

/// Profiles of tracks by their paths, as players of the Companion API ask for them. Looked up, never computed: what is not
/// analysed yet is put on the list and answered with its place there.
struct SmartDJRoutes: DescribedRoutes {
    let library: LibraryStore
    let unanalysed: UnanalysedTracks

    func add(to routes: some RouteCollection) {
        routes.get(Routes.profile) { try profile($0) }
        routes.get(Routes.bulkProfiles) { request in
            let values = request.query.values(of: "paths")
            guard !values.isEmpty else {
                throw HTTPError(
                    .badRequest, code: "missing_parameter", message: "The query parameter is missing.",
                    field: "paths")
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
        let text: String = try request.query.require("relative_path")
        guard let path = RelativePath(text: text),
            let (profile, revision) = try library.catalogue({ reader in
                try reader.profile(at: path).map { ($0, try reader.revision) }
            })
        else { return try unanalysed.answer(text) }
        return try .json(profile, etag: EntityTag("p1-\(profile.id)-\(revision)"))
    }

    private func bulk(_ paths: [String]) async throws -> HTTPResponse {
        guard paths.count <= BulkProfilesRequest.largestCount else {
            throw HTTPError(
                .unprocessableContent, code: "too_many_paths",
                message: "Ask for at most \(BulkProfilesRequest.largestCount) paths at a time.",
                field: "paths")
        }
        return try await BulkAnswer(library: library, unanalysed: unanalysed, paths: paths).response()
    }
}

extension BulkProfilesRequest: JSONContent {
    static let keys = ["paths"]
}
