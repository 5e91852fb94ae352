internal import APIDescription
internal import Companion
internal import Foundation
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

extension ListeningRoutes {
    func addHistory(to routes: some RouteCollection) {
        routes.get(Routes.listeningHistory) { request in
            let range = try Self.range(request)
            let (limit, offset) = (try request.value(Query.limit), try request.value(Query.offset))
            return try own(request).answer(request) { try $0.history(range, limit: limit, offset: offset) }
        }
        routes.delete(Routes.listeningHistory) { request in
            let keepsCounts = try request.value(Self.keepsCounts)
            let own = try own(request)
            let count = try own.deletePlays(in: Self.range(request), keepsCounts: keepsCounts)
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
            let format = try request.value(Self.exportFormat)
            let own = try own(request)
            switch format ?? .json {
            case .json:
                return Self.streamed("application/json", "listening.json") {
                    try await Self.writeJSON(own, $0)
                }
            case .csv:
                return Self.streamed("text/csv; charset=utf-8", "history.csv") {
                    try await Self.writeCSV(own, $0)
                }
            }
        }
    }

    private static func range(_ request: HTTPRequest) throws -> PlayRange {
        PlayRange(from: try request.value(from), before: try request.value(before))
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
