internal import Analyzer
internal import Companion
internal import Foundation
internal import HTTPServer
internal import MPEGAudio
internal import MusicShared
internal import Synchronization

/// Playlists and segments: the original frames, cut where frames end.
struct HLSRoutes: DescribedRoutes {
    let tracks: StreamedTracks
    let music: MusicFolder

    func add(to routes: some RouteCollection) {
        routes.get(Routes.mediaPlaylist, execution: .inline) { try await playlist($0, .init($0)) }
        routes.get(Routes.masterPlaylist, execution: .inline) { try await playlist($0, .master) }
        routes.get(Routes.segment, execution: .inline) { try await segment($0) }
        routes.get(Routes.segmentIndex) { try await segmentIndex($0) }
    }

    // MARK: - Playlists

    private func playlist(_ request: HTTPRequest, _ form: HLSPlaylists.Form) async throws -> HTTPResponse {
        let (track, plan) = try await planned(request)
        let playlist = try HLSPlaylists(track: track, plan: plan, token: request.query["token"]).rendered(
            form)
        return HTTPResponse(
            fields: [
                .contentType: HLSManifestGenerator.contentType,
                .cacheControl: "no-cache",
                .entityTag: playlist.entityTag,
            ], body: .bytes(playlist.bytes))
    }

    // MARK: - Segments

    private func segment(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (track, plan) = try await planned(request)
        let number: Int = try request.parameters.require("index")
        guard plan.segments.indices.contains(number) else {
            throw HTTPError(
                .notFound, code: "no_such_segment",
                message: "Track \(track.id) has \(plan.segments.count) segments.", field: "index")
        }
        var response = try response(track, plan.segments[number], number)
        // Where the address does not name the audio, what it stands for may change.
        if request.query["v"] != track.hashText { response.fields[.cacheControl] = "no-cache" }
        return response
    }

    /// The response to a request that names the audio. It is complete, so that most requests need no copy of its fields.
    private func response(
        _ track: StreamedTrack, _ segment: SegmentPlan.Segment, _ number: Int
    ) throws -> HTTPResponse {
        if let known = track.segments.withLock({ $0[number] }) { return known }
        let made = HTTPResponse(
            fields: [
                .contentType: "audio/mpeg",
                .cacheControl: "private, max-age=31536000, immutable",
                .entityTag: EntityTag("\(track.hashText)-s\(number)").description,
                .acceptRanges: "bytes",
            ], body: try body(track, segment, PackedAudioTimestamp.tag(timestamp: segment.mpegTimestamp)),
            allowsRanges: true)
        // A piece of a file takes no memory; bytes do.
        if case .file = made.body { track.segments.withLock { $0[number] = made } }
        return made
    }

    private func body(
        _ track: StreamedTrack, _ segment: SegmentPlan.Segment, _ prefix: [UInt8]
    ) throws -> HTTPResponseBody {
        guard segment.byteRanges.count != 1 else {
            let range = segment.byteRanges[0]
            return .file(
                try FileRegion(track.file, offset: range.lowerBound, length: range.count, prefix: prefix))
        }
        // Junk lies between the frames: leave it out.
        let mapped = try MappedFile(path: music.absolutePath(of: track.path))
        return .bytes(
            mapped.withBytes { bytes in
                segment.byteRanges.reduce(into: prefix) { sent, range in
                    bytes.extracting(range).withUnsafeBytes { sent.append(contentsOf: $0) }
                }
            })
    }

    private func segmentIndex(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (track, plan) = try await planned(request)
        let prerolls = try track.prerollFrames(of: plan, at: music.absolutePath(of: track.path))
        let segments = zip(plan.segments, prerolls).map { segment, preroll in
            SegmentIndex.Segment(
                index: segment.index, byteOffset: track.index[segment.firstFrame].offset,
                byteLength: (segment.byteRanges.last?.upperBound ?? 0)
                    - track.index[segment.firstFrame].offset,
                firstFrame: segment.firstFrame, frameCount: segment.frameCount,
                startSample: segment.startSample,
                startSeconds: segment.startSeconds, durationSeconds: segment.durationSeconds,
                sampleCount: segment.sampleCount, prerollFrames: segment.firstFrame - preroll,
                prerollByteOffset: track.index[preroll].offset)
        }
        let stream = track.stream
        let index = SegmentIndex(
            trackID: track.id, audioHash: track.hashText, fileSizeBytes: track.file.byteCount,
            sampleRateHz: stream.sampleRateHz, channels: stream.channels,
            samplesPerFrame: stream.samplesPerFrame, frameCount: stream.frameCount,
            encoderDelaySamples: stream.encoderDelaySamples,
            encoderPaddingSamples: stream.encoderPaddingSamples,
            decodedSampleCount: stream.decodedSampleCount, sampleCount: stream.sampleCount, segments: segments
        )
        return try .json(index, etag: EntityTag("\(track.hashText)-index"))
    }

    // MARK: - What all share

    private func planned(_ request: HTTPRequest) async throws -> (StreamedTrack, SegmentPlan) {
        let track = try await tracks.track(try request.parameters.require("id"))
        switch track.plan {
        case .success(let plan): return (track, plan)
        case .failure(let error):
            throw HTTPError(
                .unprocessableContent, code: "cannot_segment",
                message: "This file cannot be cut into segments: \(error.message). "
                    + "It can be had whole at /api/files/\(track.id)/stream.")
        }
    }
}
