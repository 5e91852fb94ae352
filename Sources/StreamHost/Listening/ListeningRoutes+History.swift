internal import APIDescription
internal import Companion
internal import Foundation
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

extension ListeningRoutes {
    func addHistory(to routes: some RouteCollection) {
        routes.get(Routes.listeningHistory) { request in
            let parameters = try ListParameters(request, "limit", "offset", "from", "before")
            let range = try Self.range(parameters)
            let (limit, offset) = (try parameters.limit(), try parameters.offset())
            return try own(request).answer(request) { try $0.history(range, limit: limit, offset: offset) }
        }
        routes.delete(Routes.listeningHistory) { request in
            let parameters = try ListParameters(request, "from", "before", "keep_counts")
            let keepsCounts: Bool
            switch parameters.text("keep_counts") {
            case nil, "false": keepsCounts = false
            case "true": keepsCounts = true
            default: throw Self.invalid("keep_counts", "keep_counts must be true or false.")
            }
            let own = try own(request)
            let count = try own.deletePlays(in: Self.range(parameters), keepsCounts: keepsCounts)
            if count > 0 { changed(own.accountID) }
            return try .json(["deleted": count])
        }
        routes.delete(Routes.play) { request in
            let id: Int = try request.parameters.require("play_id")
            let own = try own(request)
            guard try own.deletePlay(id: id) else {
                throw request.nothingThere
            }
            changed(own.accountID)
            return HTTPResponse(.noContent)
        }
        routes.get(Routes.listeningExport) { request in
            let parameters = try ListParameters(request, "format")
            let own = try own(request)
            switch parameters.text("format") {
            case nil, "json":
                return Self.streamed("application/json", "listening.json") {
                    try await Self.writeJSON(own, $0)
                }
            case "csv":
                return Self.streamed("text/csv; charset=utf-8", "history.csv") {
                    try await Self.writeCSV(own, $0)
                }
            default: throw Self.invalid("format", "format must be json or csv.")
            }
        }
    }

    private static func invalid(_ name: String, _ message: String) -> HTTPError {
        HTTPError(.unprocessableContent, code: "invalid_parameter", message: message, field: name)
    }

    private static func range(_ parameters: ListParameters) throws -> PlayRange {
        func time(_ name: String) throws -> Double? {
            guard let text = parameters.text(name) else { return nil }
            guard let value = Double(text), (0...253_402_300_799).contains(value) else {
                throw invalid(name, "\(name) must be a time in seconds since 1970.")
            }
            return value
        }
        return PlayRange(from: try time("from"), before: try time("before"))
    }

    /// Number of rows read at a time.
    private static let portion = 1000

    private static func streamed(
        _ type: String, _ name: String, _ write: @escaping @Sendable (ResponseWriter) async throws -> Void
    ) -> HTTPResponse {
        HTTPResponse(
            fields: [
                .contentType: type, .cacheControl: "no-cache",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ], body: .stream(ResponseStream(produce: write)))
    }

    private static func writeCSV(_ own: AccountListening, _ writer: ResponseWriter) async throws {
        try await writer.write(Array(PlayTable.header.utf8))
        try await forEachPortion(own) { plays in
            try await writer.write(Array(plays.map(PlayTable.row).joined().utf8))
        }
    }

    private static func writeJSON(_ own: AccountListening, _ writer: ResponseWriter) async throws {
        let encoder = JSONEncoder.ofHost
        var separator = "{\"items\":["
        var last = 0
        while true {
            let states = try own.look { try $0.exportedStates(after: last, limit: portion) }
            guard let end = states.last?.id else { break }
            last = end
            var bytes: [UInt8] = []
            for (_, state) in states {
                bytes += Array(separator.utf8)
                bytes += try encoder.encode(state)
                separator = ","
            }
            try await writer.write(bytes)
        }
        separator = (separator == "," ? "" : separator) + "],\"plays\":["
        try await forEachPortion(own) { plays in
            var bytes: [UInt8] = []
            for play in plays {
                bytes += Array(separator.utf8)
                bytes += try encoder.encode(play)
                separator = ","
            }
            try await writer.write(bytes)
        }
        try await writer.write(Array(((separator == "," ? "" : separator) + "]}").utf8))
    }

    private static func forEachPortion(
        _ own: AccountListening, _ body: ([PlayItem]) async throws -> Void
    ) async throws {
        var last = 0
        while true {
            let plays = try own.look { try $0.plays(after: last, limit: portion) }
            guard let end = plays.last?.id else { return }
            last = end
            try await body(plays)
        }
    }
}
