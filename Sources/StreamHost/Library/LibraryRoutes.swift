internal import APIDescription
internal import Companion
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

/// Serves the library database as a download.
///
/// `GET /db` is the slim copy for browsing and searching: all tables and rows, without the large columns of
/// `analysis_details`, which are available per track (`/tracks/:id/analysis`, `/waveform`, `/segments.json`).
/// `GET /db?details=true` is the complete database, and never compressed.
struct LibraryRoutes: DescribedRoutes {
    let snapshots: LibrarySnapshots

    func add(to routes: some RouteCollection) {
        routes.get(Routes.database) { try await database($0) }
    }

    private func database(_ request: HTTPRequest) async throws -> HTTPResponse {
        let hasDetails = try request.value(Self.hasDetails)
        // The compressed copy is a representation in its own right, with its own ranges and ETag.
        let isCompressed = !hasDetails && request.takesGzip
        let snapshot = try await snapshots.snapshot(
            hasDetails ? .whole : .slim, needsCompression: isCompressed)
        var response = HTTPResponse(
            fields: [.contentType: "application/vnd.sqlite3", .cacheControl: "no-cache"], allowsRanges: true)
        if !hasDetails { response.fields[.vary] = "Accept-Encoding" }
        if isCompressed, let file = snapshot.compressedFile {
            response.body = .file(try FileRegion(file))
            response.fields[.contentEncoding] = "gzip"
            response.fields[.entityTag] = snapshot.compressedTag.description
        } else {
            response.body = .file(try FileRegion(snapshot.file))
            response.fields[.entityTag] = snapshot.entityTag.description
        }
        return response
    }
}
