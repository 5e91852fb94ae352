internal import Foundation
internal import HTTPServer
internal import MusicShared

/// Writes results as they come, and their sum at the end: of the results no more than one is in memory, and a client sees that
/// work goes on.
struct ResultStream: Sendable {
    /// Takes results one by one.
    struct Sink {
        fileprivate let writer: ResponseWriter
        fileprivate var isFirst = true
        private(set) var changedCount = 0
        private(set) var unchangedCount = 0
        private(set) var failedCount = 0

        fileprivate init(writer: ResponseWriter) { self.writer = writer }

        /// Counts a result, and writes it unless it is only to be counted.
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

    /// An answer of results.
    /// - Parameters:
    ///   - head: members of the object that are known beforehand, as JSON.
    ///   - produce: gives the results; returns members that are known at the end.
    static func response(
        head: String = "", _ produce: @escaping @Sendable (inout Sink) async throws -> String
    ) -> HTTPResponse {
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

    /// Properties of every such answer.
    static func properties(_ meaning: String) -> [JSONSchema.Property] {
        [
            .always("results", .array(of: .named("EditResult"), meaning)),
            .always("changed_count", .integer("Files that were written anew, or would be by a dry run.")),
            .always("unchanged_count", .integer("Files that were right already.")),
            .always("failed_count", .integer("Files that were left as they were; their results say why.")),
        ]
    }
}
