internal import APIDescription
internal import Foundation
package import HTTPServer
internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import Tagging

/// The body of `POST /bulk-fix`.
struct BulkFixRequest: JSONContent, Sendable {
    let fixes: [TagFix]
    let page: TrackPageRequest

    static let keys = ["fixes"] + TrackPageRequest.keys

    private enum CodingKeys: String, CodingKey { case fixes }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        fixes = try values.decode([TagFix].self, forKey: .fixes)
        page = try TrackPageRequest(from: decoder)
    }
}

/// Applies fixes of common tag errors to a selection or to the whole library, page by page.
///
/// A dry run lists the changes without making them; it is the default.
package struct BulkFixRoutes: DescribedRoutes {
    let edits: EditQueue

    /// Memberwise initializer.
    package init(edits: EditQueue) {
        self.edits = edits
    }

    package func add(to routes: some RouteCollection) {
        routes.post(Routes.bulkFix) { try await fix($0) }
    }

    private func fix(_ request: HTTPRequest) async throws -> HTTPResponse {
        let content = try await request.json(BulkFixRequest.self)
        guard !content.fixes.isEmpty else {
            throw APIError.nothingSelected("Specify at least one fix.", field: "fixes")
        }
        let fixes = Set(content.fixes)
        return try content.page.response(edits, .fix) { [library = edits.library, music = edits.music] in
            TagFixPlanner(library: library, music: music, fixes: fixes)
        } plan: {
            try Self.plan($0, $1)
        }
    }

    private static func plan(_ planner: TagFixPlanner, _ track: CatalogueTrack) throws -> EditPlan {
        var plan = EditPlan(track)
        do {
            let (edit, changes) = try planner.plan(track)
            plan.isShown = !changes.isEmpty
            guard !changes.isEmpty else { return plan }
            plan.edit = edit
            plan.result.changes = changes.map {
                EditResult.Change(
                    fix: $0.fix.rawValue, field: $0.field, before: $0.before, after: $0.after)
            }
        } catch let error as TaggingError {
            plan.result = EditResult(
                relativePath: track.path.text, id: track.id,
                (error.code == .cannotOpen ? APIError.noSuchTrack : .unreadable)(
                    "The file could not be read: \(error.message)."))
        }
        return plan
    }
}
