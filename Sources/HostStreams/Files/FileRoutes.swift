internal import APIDescription
package import HTTPServer
internal import MusicShared

/// Serves the original files.
package struct FileRoutes: DescribedRoutes {
    let tracks: StreamedTracks

    /// Memberwise initializer.
    package init(tracks: StreamedTracks) {
        self.tracks = tracks
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.file, execution: .inline) { try await file($0) }
        routes.get(Routes.fileWithExtension, execution: .inline) { try await file($0) }
    }

    private func file(_ request: HTTPRequest) async throws -> HTTPResponse {
        let track = try await tracks.track(try request.parameters.require("id"))
        try request.requireAudio(track.hashText, ofTrack: track.id)
        try request.requireFirstByte(track.firstByte, ofTrack: track.id)
        return HTTPResponse(
            fields: [
                .contentType: "audio/mpeg",
                .cacheControl: "no-cache",
                .entityTag: track.file.entityTag.description,
                .lastModified: track.file.modificationDate.description,
            ], body: .file(try FileRegion(track.file)), allowsRanges: true)
    }
}
