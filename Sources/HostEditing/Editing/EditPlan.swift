internal import HTTPServer
internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import Tagging

/// The change that an operation on many tracks would make to one of them.
struct EditPlan: Sendable {
    /// The result if nothing is changed: a dry run shows it.
    var result: EditResult
    /// The necessary edit; nil if the file stays as it is.
    var edit: TagEdit?
    /// The outcome if the file turns out to have the values already.
    var unchangedOutcome: String?
    /// Whether the result is listed.
    var isShown = true

    /// Creates a plan that changes nothing.
    init(_ track: CatalogueTrack) { result = EditResult(relativePath: track.path.text, id: track.id) }
}

extension EditQueue {
    /// Carries out the plan for a track.
    ///
    /// The plan is based on the file's current state. A concurrent edit of other fields is kept, because only the
    /// fields of the plan are set.
    func apply(
        _ plan: EditPlan, to track: CatalogueTrack, dryRun: Bool, _ recorder: EditRecorder
    ) async throws -> ResultStream.Step {
        var result = plan.result
        guard let edit = plan.edit else { return ResultStream.Step(result: result, isShown: plan.isShown) }
        guard !dryRun else {
            result.changed = true
            return ResultStream.Step(result: result)
        }
        do {
            let edited = try await apply(
                edit, to: track.path, expecting: nil, recorder, changes: result.changes ?? [])
            result.changed = edited.file.isChanged
            result.etag = FileStateTag.text(edited.file.file)
            if !result.changed { result.outcome = plan.unchangedOutcome }
            return ResultStream.Step(result: result, edited: edited)
        } catch let error as TagEditError {
            var failed = EditResult(relativePath: track.path.text, id: track.id, HTTPError(error))
            failed.changes = result.changes
            return ResultStream.Step(result: failed)
        }
    }
}
