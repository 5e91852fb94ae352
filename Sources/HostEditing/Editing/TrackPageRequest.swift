internal import APIDescription
internal import Foundation
internal import HTTPServer
internal import LibraryStore
internal import MusicFiles
internal import MusicShared

/// A paged operation on the tracks of some lists, or explicitly on the whole library. The client repeats the
/// request with the cursor of the last response until it has none, so neither a large library nor a
/// disconnecting client blocks anything.
struct TrackPageRequest: Decodable, Sendable {
    let lists: SelectionLists
    /// Whether the whole library is selected; must be requested explicitly.
    let all: Bool
    let cursor: Int
    let limit: Int
    /// Whether changes are only listed; the default.
    let dryRun: Bool
    /// The edit of an earlier request that this one continues.
    let editID: Int?

    static let keys = SelectionLists.keys + ["all", "cursor", "limit", "dry_run", "edit_id"]
    static let standardLimit = 200
    static let limits = 1...1_000

    private enum CodingKeys: String, CodingKey {
        case all, cursor, limit
        case dryRun = "dry_run"
        case editID = "edit_id"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        lists = try SelectionLists(from: decoder)
        all = try values.decode(.all, orElse: false)
        cursor = try values.decode(.cursor, orElse: 0)
        limit = try values.decode(.limit, orElse: Self.standardLimit)
        dryRun = try values.decode(.dryRun, orElse: true)
        editID = try values.decodeEditID(.editID)
    }

    /// The tracks of one request.
    private struct Page: Sendable {
        let tracks: [CatalogueTrack]
        /// Paths in the request that no track can have.
        let impossible: [String]
        /// The cursor for the next request; nil at the end.
        let next: Int?
    }

    /// Returns a response with a result for each track: its plan, carried out unless this is a dry run.
    /// - Parameters:
    ///   - kind: What makes the edits, for the history.
    ///   - makePlanner: Creates the planner for one response.
    ///   - plan: Plans the edit of a track, on the queue of edits.
    func response<Planner>(
        _ edits: EditQueue, _ kind: EditRecord.Kind, _ makePlanner: @escaping @Sendable () -> Planner,
        plan: @escaping @Sendable (Planner, CatalogueTrack) throws -> EditPlan
    ) throws -> HTTPResponse {
        let page = try page(of: edits)
        return ResultStream.response(dryRun: dryRun) { sink in
            let planner = PlannerBox(makePlanner())
            let recorder = EditRecorder(kind, continuing: editID)
            for text in page.impossible {
                try await sink.add(EditResult(relativePath: text, id: nil, EditTargets.noFile))
            }
            try await sink.add(page.tracks, of: edits) { track in
                let plan = try await edits.run { try plan(planner.value, track) }
                return try await edits.apply(plan, to: track, dryRun: dryRun, recorder)
            }
            return ResultStream.member(recorder) + ",\"examined_count\":\(page.tracks.count)"
                + (page.next.map { ",\"cursor\":\($0)" } ?? "")
        }
    }

    /// Returns the tracks of this request.
    private func page(of edits: EditQueue) throws -> Page {
        guard Self.limits.contains(limit) else {
            throw APIError.invalidValue(
                "limit must be between \(Self.limits.lowerBound) and \(Self.limits.upperBound).",
                field: "limit")
        }
        guard cursor == 0 || JSONSchema.identifiers.contains(cursor) else {
            throw APIError.invalidValue("cursor must come from an earlier response.", field: "cursor")
        }
        let (selection, impossible) = try lists.selection()
        guard all || !lists.isEmpty else {
            throw APIError.nothingSelected(
                "Select tracks by \(SelectionLists.keys.joined(separator: ", ")), or send \"all\": true for the "
                    + "whole library.", field: "all")
        }
        guard !all || !lists.isGiven else {
            throw APIError.unclearFiles("Send either lists or \"all\": true, not both.", field: "all")
        }
        // A list of only invalid paths must not select the whole library.
        let isNothing = selection.count == 0 && !all
        let tracks =
            isNothing ? [] : try edits.library.tracks(of: selection, after: cursor, limit: limit + 1)
        return Page(
            tracks: Array(tracks.prefix(limit)), impossible: cursor == 0 ? impossible : [],
            next: tracks.count > limit ? tracks[limit - 1].id : nil)
    }

    static let properties: JSONSchema =
        SelectionLists.properties + [
            "all": .flag("Whether to select the whole library; required if no lists are given.").optional,
            "cursor": .integer(
                "The cursor of the previous response; 0 to start.",
                maximum: JSONSchema.identifiers.upperBound
            ).optional,
            "limit": JSONSchema(
                kind: .integer(minimum: limits.lowerBound, maximum: limits.upperBound),
                meaning: "Maximum number of tracks to examine.", standard: .number(Double(standardLimit))
            ).optional,
        ] + ResultStream.continuedEdit

    static func answer(_ meaning: String) -> JSONSchema {
        ResultStream.properties(meaning) + [
            "dry_run": .flag("Whether nothing was changed."),
            "examined_count": .integer("Number of examined tracks."),
            "cursor": .integer("Cursor for the next request; omitted at the end.").optional,
        ] + ResultStream.edit
    }

    static let errors = [
        APIError.nothingSelected,
        APIError.unclearFiles,
        APIError.tooManyItems,
        APIError.invalidValue,
    ]
}

/// Hands a planner from thread to thread.
///
/// Safe although unchecked: it is used by a single task, which waits for each use to finish before the next
/// begins.
private final class PlannerBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
