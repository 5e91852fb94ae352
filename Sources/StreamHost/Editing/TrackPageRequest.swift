internal import Companion
internal import Foundation
internal import HTTPServer
internal import MusicShared

/// A run over some tracks or all of them, so many at a request: a client asks again with the cursor that an answer gives, until
/// there is none. So neither a library of any size nor a client that goes away holds anything up.
struct TrackPageRequest: Decodable, Sendable {
    let lists: SelectionLists
    let cursor: Int
    let limit: Int

    static let keys = SelectionLists.keys + ["cursor", "limit"]
    static let standardLimit = 200
    static let limits = 1...1_000

    private enum CodingKeys: String, CodingKey { case cursor, limit }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        lists = try SelectionLists(from: decoder)
        cursor = try values.decode(.cursor, orElse: 0)
        limit = try values.decode(.limit, orElse: Self.standardLimit)
    }

    /// What became of one track.
    struct Step: Sendable {
        var result: EditResult
        var edited: LibraryEditor.Edited?
        var isShown = true
    }

    /// The tracks of a request.
    struct Page: Sendable {
        let tracks: [CatalogueTrack]
        /// The paths of the request that can be no track's.
        let impossible: [String]
        /// Where the next request goes on; nil at the end.
        let next: Int?

        /// Works on the tracks one by one.
        /// - Returns: the members of the answer that follow the results.
        func run(
            _ edits: LibraryEdits, _ sink: inout ResultStream.Sink,
            _ body: (CatalogueTrack) async throws -> Step
        ) async throws -> String {
            var edited: [LibraryEditor.Edited] = []
            do {
                for text in impossible {
                    try await sink.add(EditResult(relativePath: text, id: nil, EditedFiles.noFile))
                }
                for track in tracks {
                    let step = try await body(track)
                    if let done = step.edited { edited.append(done) }
                    try await sink.add(step.result, isShown: step.isShown)
                }
            } catch {
                await edits.finish(edited)
                throw error
            }
            await edits.finish(edited)
            return ",\"examined_count\":\(tracks.count)" + (next.map { ",\"cursor\":\($0)" } ?? "")
        }
    }

    /// The tracks that this request is about.
    func page(of edits: LibraryEdits) throws -> Page {
        guard Self.limits.contains(limit) else {
            throw HTTPError(
                .unprocessableContent, code: "invalid_value",
                message: "limit is from \(Self.limits.lowerBound) to \(Self.limits.upperBound).",
                field: "limit")
        }
        guard cursor == 0 || JSONSchema.identifiers.contains(cursor) else {
            throw HTTPError(
                .unprocessableContent, code: "invalid_value",
                message: "cursor is what an answer before gave.", field: "cursor")
        }
        let (selection, impossible) = try lists.selection()
        guard !lists.isGiven || !lists.isEmpty else {
            throw HTTPError(
                .unprocessableContent, code: "nothing_selected",
                message: "The lists are empty. Leave them out for the whole library.")
        }
        // Nothing but impossible paths is not the whole library.
        let isNothing = selection.count == 0 && lists.isGiven
        let tracks =
            isNothing ? [] : try edits.library.tracks(of: selection, after: cursor, limit: limit + 1)
        return Page(
            tracks: Array(tracks.prefix(limit)), impossible: cursor == 0 ? impossible : [],
            next: tracks.count > limit ? tracks[limit - 1].id : nil)
    }

    static let properties: [JSONSchema.Property] =
        SelectionLists.properties + [
            .maybe(
                "cursor",
                .integer(
                    "What the answer before gave; 0 to begin.", maximum: JSONSchema.identifiers.upperBound)),
            .maybe(
                "limit",
                JSONSchema(
                    kind: .integer(minimum: limits.lowerBound, maximum: limits.upperBound),
                    meaning: "The most tracks to look at.", standard: .number(Double(standardLimit)))),
        ]

    static func answer(_ meaning: String) -> [JSONSchema.Property] {
        ResultStream.properties(meaning) + [
            .always("dry_run", .flag("Whether nothing was changed.")),
            .always("examined_count", .integer("Tracks that were looked at.")),
            .maybe("cursor", .integer("Where the next request goes on; left out at the end.")),
        ]
    }

    static let errors = [
        OpenAPIError(
            status: .unprocessableContent, code: "nothing_selected", meaning: "Nothing to do is named."),
        OpenAPIError(
            status: .unprocessableContent, code: "too_many_items", meaning: "The lists are too long."),
        OpenAPIError.editValue,
    ]
}

/// A planner on its way between threads.
///
/// Proof: it is used by one task, which waits for each use to end before the next begins.
final class PlannerBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
