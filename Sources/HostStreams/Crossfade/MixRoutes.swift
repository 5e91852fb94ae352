internal import APIDescription
package import HTTPServer
package import LibraryStore
internal import MusicShared

/// Sorts tracks for mixing. The order itself is computed by ``MusicShared/MixOrder``.
package struct MixRoutes: DescribedRoutes {
    let library: LibraryStore

    /// Memberwise initializer.
    package init(library: LibraryStore) {
        self.library = library
    }

    package func add(to routes: some RouteCollection) {
        routes.post(Routes.mix) { try await mix($0) }
    }

    private func mix(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try await request.json(MixOrderRequest.self)
        guard wanted.trackIDs.count <= MixOrderRequest.largestCount else {
            throw APIError.tooManyItems(
                "Send at most \(MixOrderRequest.largestCount) tracks at a time.", field: "track_ids")
        }
        let known = try library.catalogue { try $0.mixableTracks(ids: wanted.trackIDs) }
        let tracks = try wanted.trackIDs.map { id in
            guard let track = known[id] else {
                throw APIError.noSuchTracks("There is no track \(id).", field: "track_ids")
            }
            return track
        }
        return try .json(
            MixOrder(
                tracks, energy: wanted.energy ?? .none, keepsFirst: wanted.keepFirst ?? false,
                keepsLast: wanted.keepLast ?? false))
    }
}

extension MixOrderRequest: JSONContent {
    package static var keys: [String] { CodingKeys.allCases.map(\.rawValue) }
}
