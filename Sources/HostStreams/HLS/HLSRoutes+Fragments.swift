internal import APIDescription
internal import Analyzer
internal import AudioFrames
internal import HTTPServer
internal import MusicShared

/// Frames in fragments of MP4, and whole files of one container.
extension HLSRoutes {
    /// Answers a request for a fragment if its file is open; returns nil otherwise.
    @Sendable func openFragment(_ request: HTTPRequest) throws -> HTTPResponse? {
        guard let track = tracks.openTrack(try request.parameters.require("id")) else { return nil }
        return try fragment(track, request)
    }

    func fragment(_ track: StreamedTrack, _ request: HTTPRequest) throws -> HTTPResponse {
        try request.requireAudio(track.hashText, ofTrack: track.id)
        let fragmented = try Self.fragmented(track)
        let address = try SegmentAddress(request.query, frameCount: fragmented.count)
        guard address.cut.keepsFrames else { throw Self.onlyMP3 }
        let segment = try Self.segment(
            request, in: fragmented.plan(of: address.cut.frames).segments, of: track)
        let header = fragmented.fragmentHeader(
            of: segment.frames, number: segment.index + 1,
            startSample: address.timestampBase + segment.startSample)
        let state = "\(track.hashText)-m\(segment.index)\(address.tag)"
        guard segment.byteRanges.count == 1, let range = segment.byteRanges.first else {
            // Omit what is between the frames: junk, or the headers of Ogg pages.
            return response(
                .fragmentedMP4, state: state, address.audioHash,
                .bytes(header + (try bytes(track, segment.byteRanges))))
        }
        let region = try FileRegion(
            track.file, offset: range.lowerBound, length: range.count, prefix: header)
        return response(.fragmentedMP4, state: state, address.audioHash, .file(region))
    }

    func initializationSegment(_ request: HTTPRequest) async throws -> HTTPResponse {
        let track = try await track(request)
        let fragmented = try Self.fragmented(track)
        let address = try SegmentAddress(request.query, frameCount: fragmented.count)
        return response(
            .fragmentedMP4, state: "\(track.hashText)-init\(address.tag)", address.audioHash,
            .bytes(fragmented.initializationSegment(isWhole: address.isWhole)))
    }

    func fragmentedFile(_ request: HTTPRequest) async throws -> HTTPResponse {
        let track = try await track(request)
        guard let made = track.fragmentedFile else { throw Self.notFragmented(track) }
        return response(
            .fragmentedMP4, state: "\(track.hashText)-mp4", try Query.audioHash.value(in: request.query),
            .stream(
                ResponseStream(byteCount: made.byteCount) { range, writer in
                    try await made.write(range, of: track.file, to: writer)
                }))
    }

    func convertedFile(_ request: HTTPRequest) async throws -> HTTPResponse {
        let track = try await track(request)
        let requested = try Self.convertedQuality.value(in: request.query)
        let rendition = try await renditions.rendition(of: track, requested == .low ? .low : .high)
        return response(
            .packedAudio, state: "\(track.hashText)-\(requested.rawValue)",
            try Query.audioHash.value(in: request.query), .file(try FileRegion(rendition.file)))
    }

    private static func fragmented(_ track: StreamedTrack) throws(HTTPError) -> FragmentedFrames {
        if let fragmented = track.fragmented { return fragmented }
        throw notFragmented(track)
    }

    private static func notFragmented(_ track: StreamedTrack) -> HTTPError {
        APIError.noSuchSegment(
            "Track \(track.id) is \(track.original.format.name); its segments end in .mp3.", field: "id")
    }
}
