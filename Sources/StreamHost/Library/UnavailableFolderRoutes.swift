internal import APIDescription
internal import Companion
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

/// Lets the owner confirm that unavailable folders, as listed by `GET /health`, are gone.
struct UnavailableFolderRoutes: DescribedRoutes {
    /// Maximum number of folders per request.
    static let mostFolders = 1000

    let analysis: HostAnalysis

    func add(to routes: some RouteCollection) {
        routes.post(Routes.removalConfirmation) { request in
            let confirmation = try await request.json(RemovalConfirmation.self)
            guard (1...Self.mostFolders).contains(confirmation.relativePaths.count) else {
                throw APIError.invalidField(
                    "relative_paths must contain 1 to \(Self.mostFolders) unavailable folders.",
                    field: "relative_paths")
            }
            do {
                return try .json(analysis.confirmRemoval(of: confirmation.relativePaths))
            } catch let error as StoreError where error.code == .notUnavailable {
                throw APIError.notUnavailable(
                    "\(error.path ?? "") is not an unavailable folder; see unavailable_folders in /health.",
                    field: "relative_paths")
            }
        }
    }
}

extension RemovalConfirmation: JSONContent {
    static let keys = ["relative_paths"]
}
