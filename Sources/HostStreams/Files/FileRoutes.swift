internal import APIDescription
internal import Analyzer
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
        for path in [Routes.file, Routes.fileWithExtension] {
            routes.get(path, immediate: openFile) { request in
                try file(of: try await tracks.track(try request.parameters.require("id")), request)
            }
        }
    }

    /// Answers if the file is open; returns nil otherwise.
    @Sendable private func openFile(_ request: HTTPRequest) throws -> HTTPResponse? {
        guard let track = tracks.openTrack(try request.parameters.require("id")) else { return nil }
        return try file(of: track, request)
    }

    private func file(of track: StreamedTrack, _ request: HTTPRequest) throws -> HTTPResponse {
        try request.requireAudio(track.hashText, ofTrack: track.id)
        try request.requireFirstByte(track.firstByte, ofTrack: track.id)
        return HTTPResponse(
            fields: [
                .contentType: track.original.format.mediaType,
                .cacheControl: "no-cache",
                .entityTag: track.fileTag.description,
                .lastModified: track.file.modificationDate.description,
            ], body: .file(try FileRegion(track.file)), allowsRanges: true)
    }
}
