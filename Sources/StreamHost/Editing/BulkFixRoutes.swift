internal import Companion
internal import Foundation
internal import HTTPServer
internal import MusicShared
internal import Tagging

/// What `POST /bulk-fix` takes.
struct BulkFixRequest: JSONContent, Sendable {
    let fixes: [TagFix]
    let dryRun: Bool
    let page: TrackPageRequest

    static let keys = ["fixes", "dry_run"] + TrackPageRequest.keys

    private enum CodingKeys: String, CodingKey {
        case fixes
        case dryRun = "dry_run"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        fixes = try values.decode([TagFix].self, forKey: .fixes)
        dryRun = try values.decode(.dryRun, orElse: true)
        page = try TrackPageRequest(from: decoder)
    }
}

/// Fixes of tags that are the same for everybody, over a selection or the whole library, page by page.
///
/// A dry run shows each change and makes none; it is what happens unless told otherwise.
struct BulkFixRoutes: DescribedRoutes {
    let edits: LibraryEdits

    func add(to routes: some RouteCollection) {
        routes.post(Routes.bulkFix) { try await fix($0) }
    }

    private func fix(_ request: HTTPRequest) async throws -> HTTPResponse {
        let content = try await request.json(BulkFixRequest.self)
        guard !content.fixes.isEmpty else {
            throw HTTPError(
                .unprocessableContent, code: "nothing_selected", message: "Name at least one fix.",
                field: "fixes")
        }
        let page = try content.page.page(of: edits)
        let dryRun = content.dryRun
        let fixes = Set(content.fixes)
        return ResultStream.response(head: "\"dry_run\":\(dryRun),") { sink in
            // A class, but handed from one thread to the next, never used by two.
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
            // The plan was made of the file as it is now; an edit of somebody else in between is not overwritten blindly,
            // since only the fields of the plan are set.
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
                    HTTPError(
                        error.code == .cannotOpen ? .notFound : .unprocessableContent,
                        code: error.code == .cannotOpen ? "not_found" : "unreadable",
                        message: "The file cannot be read: \(error.message).")))
        }
    }
}
