internal import APIDescription
internal import Foundation
internal import HTTPServer
internal import MusicFiles
internal import MusicShared

/// Streams results as they are produced, with totals at the end, so that only one result is in memory at a
/// time and the client sees progress.
struct ResultStream: Sendable {
    /// The result for one file, and what follows from it.
    struct Step: Sendable {
        var result: EditResult
        /// The file, if it was edited.
        var edited: LibraryEditor.Edited?
        /// Whether the result is listed.
        var isShown = true
    }

    /// Writes results one by one.
    struct Sink {
        fileprivate let writer: ResponseWriter
        fileprivate var isFirst = true
        private(set) var changedCount = 0
        private(set) var unchangedCount = 0
        private(set) var failedCount = 0

        fileprivate init(writer: ResponseWriter) { self.writer = writer }

        /// Processes items one by one and writes their results. Edits made before an error, such as a lost connection,
        /// remain.
        mutating func add<Item>(
            _ items: [Item], of edits: EditQueue, _ body: (Item) async throws -> Step
        ) async throws {
            var edited: [LibraryEditor.Edited] = []
            do {
                for item in items {
                    let step = try await body(item)
                    if let done = step.edited { edited.append(done) }
                    try await add(step.result, isShown: step.isShown)
                }
            } catch {
                await edits.finish(edited)
                throw error
            }
            await edits.finish(edited)
        }

        /// Counts a result, and writes it if `isShown`.
        mutating func add(_ result: EditResult, isShown: Bool = true) async throws {
            if result.error != nil {
                failedCount += 1
            } else if result.changed {
                changedCount += 1
            } else {
                unchangedCount += 1
            }
            guard isShown else { return }
            let separator = isFirst ? "" : ","
            isFirst = false
            try await writer.write(Array(separator.utf8) + Array(try JSONEncoder.ofHost.encode(result)))
        }
    }

    /// Returns a response that streams results.
    /// - Parameters:
    ///   - dryRun: Whether nothing is changed; nil for operations without dry runs.
    ///   - produce: Adds the results to the sink; returns the members that follow the totals.
    static func response(
        dryRun: Bool? = nil, _ produce: @escaping @Sendable (inout Sink) async throws -> String
    ) -> HTTPResponse {
        let head = dryRun.map { "\"dry_run\":\($0)," } ?? ""
        let body = ResponseStream { writer in
            try await writer.write(Array("{\(head)\"results\":[".utf8))
            var sink = Sink(writer: writer)
            let tail = try await produce(&sink)
            let sum =
                "],\"changed_count\":\(sink.changedCount),\"unchanged_count\":\(sink.unchangedCount),"
                + "\"failed_count\":\(sink.failedCount)\(tail)}"
            try await writer.write(Array(sum.utf8))
        }
        return HTTPResponse(
            fields: [.contentType: "application/json", .cacheControl: "no-store"], body: .stream(body))
    }

    /// Returns the member of a response that names the edit in the history; empty if nothing can be undone.
    static func member(_ recorder: EditRecorder) -> String { recorder.id.map { ",\"edit_id\":\($0)" } ?? "" }

    /// The property of responses with ``member(_:)``.
    static let edit: JSONSchema = [
        "edit_id": .identifier(
            "The edit in the history, which can be undone; omitted if nothing that can be restored was changed."
        ).optional
    ]

    /// The property of requests that continue an edit of an earlier one.
    static let continuedEdit: JSONSchema = [
        "edit_id": .identifier("The `edit_id` of an earlier response, so that both are undone as one.")
            .optional
    ]

    /// Returns the schema's properties that all such responses share.
    static func properties(_ meaning: String) -> JSONSchema {
        [
            "results": .array(of: .named("EditResult"), meaning),
            "changed_count": .integer("Number of files that were rewritten, or would be without `dry_run`."),
            "unchanged_count": .integer("Number of files that needed no change."),
            "failed_count": .integer(
                "Number of files that failed and were left unchanged; see their results."),
        ]
    }
}
