internal import Analyzer
internal import APIDescription
package import HTTPServer
package import LibraryStore
internal import MusicShared

/// Serves spectrum frames by a track's path, as JSON or binary. They are read from the store, never computed
/// from audio.
package struct SpectrumRoutes: DescribedRoutes {
    /// Responses with more levels than this are streamed.
    private static let largestInMemory = 1 << 21
    /// Number of frames read at a time.
    private static let batch = 1024

    let library: LibraryStore
    let frames: SpectrumStore
    let unanalysed: UnanalysedTracks

    /// Memberwise initializer.
    package init(library: LibraryStore, frames: SpectrumStore, unanalysed: UnanalysedTracks) {
        self.library = library
        self.frames = frames
        self.unanalysed = unanalysed
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.frames) { try await answer($0) }
    }

    private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        let query = try SpectrumQuery(request)
        guard let path = RelativePath(text: query.path), let state = try library.trackState(of: path),
            state.isAvailable, let stored = try frames.description(of: state.audioHash),
            stored.framesPerSecond > 0, stored.bandCount > 0
        else { return try unanalysed.answer(query.path) }
        let shape = SpectrumResampling(stored, rate: query.rate, bandCount: query.bandCount)
        let window = query.window(of: shape.frameCount, rate: shape.rate)
        var response = try await content(query, path, state.audioHash, shape, window)
        let form = query.isBinary ? "binary" : "json"
        response.fields[.entityTag] =
            EntityTag(
                "\(state.audioHash)-\(stored.analyzerVersion)-\(state.trackID)-\(shape.rate)-\(shape.bandCount)"
                    + "-\(window.lowerBound)-\(window.upperBound)-\(query.element)-\(form)"
            ).description
        response.fields[.cacheControl] = "no-cache"
        response.fields.add(token: "Accept", to: .vary)
        return response
    }

    private func content(
        _ query: SpectrumQuery, _ path: RelativePath, _ hash: AudioHash, _ shape: SpectrumResampling,
        _ window: Range<Int>
    ) async throws -> HTTPResponse {
        let parts: Parts
        if query.isBinary {
            parts = Parts(
                head: VisualizerStream.header(
                    frameCount: window.count, bandCount: shape.bandCount, framesPerSecond: shape.rate,
                    element: query.element), tail: []
            ) { levels, _ in VisualizerStream.elements(levels, as: query.element) }
        } else {
            let text = SpectrumText(query.element, bandCount: shape.bandCount)
            parts = Parts(
                head: try SpectrumText.head(path.text, shape, window), tail: SpectrumText.tail
            ) { text.rows($0, isFirst: $1) }
        }
        let type = query.isBinary ? "application/octet-stream" : "application/json"
        let levelCount = window.count * shape.bandCount
        let body: HTTPResponseBody
        if levelCount <= Self.largestInMemory {
            // Responses in memory can be compressed.
            var bytes: [UInt8] = []
            try await write(parts, hash, shape, window) { bytes += $0 }
            body = .bytes(bytes)
        } else {
            let byteCount = parts.head.count + levelCount * query.element.byteCount
            body = .stream(
                ResponseStream(byteCount: query.isBinary ? byteCount : nil) { writer in
                    try await write(parts, hash, shape, window) { try await writer.write($0) }
                })
        }
        return HTTPResponse(fields: [.contentType: type], body: body, allowsRanges: query.isBinary)
    }

    /// An encoding of the response.
    private struct Parts: Sendable {
        let head: [UInt8]
        let tail: [UInt8]
        /// Encodes whole rows of levels.
        let rows: @Sendable (_ levels: [UInt8], _ isFirst: Bool) -> [UInt8]
    }

    private func write(
        _ parts: Parts, _ hash: AudioHash, _ shape: SpectrumResampling, _ window: Range<Int>,
        _ send: ([UInt8]) async throws -> Void
    ) async throws {
        try await send(parts.head)
        for start in stride(from: window.lowerBound, to: window.upperBound, by: Self.batch) {
            let part = start..<min(window.upperBound, start + Self.batch)
            let sources = shape.sources(of: part)
            guard let stored = try frames.frames(of: hash, in: sources),
                stored.levels.count == sources.count * shape.stored.bandCount
            else {
                // The frames were replaced since their description was read.
                throw APIError.framesChanged(
                    "The frames are being replaced; try again.", fields: [.retryAfter: "2"])
            }
            try await send(
                parts.rows(shape.levels(of: part, from: stored.levels), start == window.lowerBound))
        }
        try await send(parts.tail)
    }
}
