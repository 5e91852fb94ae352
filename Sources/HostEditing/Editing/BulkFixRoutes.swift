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
    let dryRun: Bool
    let page: TrackPageRequest

    static let keys = ["fixes", "dry_run"] + TrackPageRequest.keys

    private enum CodingKeys: String, CodingKey {
        case fixes
        case dryRun = "dry_run"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        fixes = try values.decode([TagFix].self, forKey: .fixes)
        dryRun = try values.decode(.dryRun, orElse: true)
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
        let page = try content.page.page(of: edits)
        let dryRun = content.dryRun
        let fixes = Set(content.fixes)
        return ResultStream.response(head: "\"dry_run\":\(dryRun),") { sink in
            // The planner is a class: it is handed from thread to thread, never used by two at once.
            let planner = PlannerBox(
                TagFixPlanner(library: edits.library, music: edits.music, fixes: fixes))
            return try await page.run(edits, &sink) { track in
                try await result(track, planner, dryRun)
            }
        }
    }

    private func result(
        _ track: CatalogueTrack, _ planner: PlannerBox<TagFixPlanner>, _ dryRun: Bool
    ) async throws -> TrackPageRequest.Step {
        var result = EditResult(relativePath: track.path.text, id: track.id)
        do {
            let (edit, changes) = try await edits.run { try planner.value.plan(track) }
            guard !changes.isEmpty else { return TrackPageRequest.Step(result: result, isShown: false) }
            result.changes = changes.map {
                EditResult.Change(
                    fix: $0.fix.rawValue, field: $0.field, before: $0.before, after: $0.after)
            }
            guard !dryRun else {
                result.changed = true
                return TrackPageRequest.Step(result: result)
            }
            // The plan is based on the file's current state. A concurrent edit of other fields is kept,
            // because only the fields of the plan are set.
            let edited = try await edits.apply(edit, to: track.path, expecting: nil)
            result.changed = edited.file.isChanged
            result.etag = FileStateTag.text(edited.file.file)
            return TrackPageRequest.Step(result: result, edited: edited)
        } catch let error as TagEditError {
            var failed = EditResult(relativePath: track.path.text, id: track.id, HTTPError(error))
            failed.changes = result.changes
            return TrackPageRequest.Step(result: failed)
        } catch let error as TaggingError {
            return TrackPageRequest.Step(
                result: EditResult(
                    relativePath: track.path.text, id: track.id,
                    (error.code == .cannotOpen ? APIError.noSuchTrack : .unreadable)(
                        "The file could not be read: \(error.message).")))
        }
    }
}
