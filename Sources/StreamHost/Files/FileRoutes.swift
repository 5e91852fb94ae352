internal import HTTPServer
internal import MusicShared

/// The original files.
struct FileRoutes: DescribedRoutes {
    let tracks: StreamedTracks

    func add(to routes: some RouteCollection) {
        routes.get(Routes.file, execution: .inline) { request in
            let track = try await tracks.track(try request.parameters.require("id"))
            return HTTPResponse(
                fields: [
                    .contentType: "audio/mpeg",
                    .cacheControl: "no-cache",
                    .entityTag: track.file.entityTag.description,
                    .lastModified: track.file.modificationDate.description,
                ], body: .file(try FileRegion(track.file)), allowsRanges: true)
        }
    }
}
