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

    static let keys = SelectionLists.keys + ["all", "cursor", "limit"]
    static let standardLimit = 200
    static let limits = 1...1_000

    private enum CodingKeys: String, CodingKey { case all, cursor, limit }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        lists = try SelectionLists(from: decoder)
        all = try values.decode(.all, orElse: false)
        cursor = try values.decode(.cursor, orElse: 0)
        limit = try values.decode(.limit, orElse: Self.standardLimit)
    }

    /// The result for one track.
    struct Step: Sendable {
        var result: EditResult
        var edited: LibraryEditor.Edited?
        var isShown = true
    }

    /// The tracks of one request.
    struct Page: Sendable {
        let tracks: [CatalogueTrack]
        /// Paths in the request that no track can have.
        let impossible: [String]
        /// The cursor for the next request; nil at the end.
        let next: Int?

        /// Processes the tracks one by one.
        /// - Returns: The JSON members that follow the results.
        func run(
            _ edits: EditQueue, _ sink: inout ResultStream.Sink,
            _ body: (CatalogueTrack) async throws -> Step
        ) async throws -> String {
            var edited: [LibraryEditor.Edited] = []
            do {
                for text in impossible {
                    try await sink.add(EditResult(relativePath: text, id: nil, EditTargets.noFile))
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

    /// Returns the tracks of this request.
    func page(of edits: EditQueue) throws -> Page {
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
        ]

    static func answer(_ meaning: String) -> JSONSchema {
        ResultStream.properties(meaning) + [
            "dry_run": .flag("Whether nothing was changed."),
            "examined_count": .integer("Number of examined tracks."),
            "cursor": .integer("Cursor for the next request; omitted at the end.").optional,
        ]
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
final class PlannerBox<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
