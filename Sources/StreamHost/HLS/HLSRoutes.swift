internal import Analyzer
internal import Companion
internal import Foundation
internal import HTTPServer
internal import MPEGAudio
internal import MusicShared

/// Playlists and segments: the original frames, cut where frames end.
struct HLSRoutes: DescribedRoutes {
    let tracks: StreamedTracks
    let music: MusicFolder

    func add(to routes: some RouteCollection) {
        routes.get(Routes.mediaPlaylist) { try mediaPlaylist($0) }
        routes.get(Routes.masterPlaylist) { try masterPlaylist($0) }
        routes.get(Routes.segment, execution: .inline) { try segment($0) }
        routes.get(Routes.segmentIndex) { try segmentIndex($0) }
    }

    // MARK: - Playlists

    private func mediaPlaylist(_ request: HTTPRequest) throws -> HTTPResponse {
        let (track, plan) = try planned(request)
        let suffix = Self.token(of: request)
        let form = try PlaylistForm(request)
        let segments = plan.segments.map { segment -> HLSSegment in
            let version = "?v=\(track.hash)"
            switch form {
            case .segments:
                return HLSSegment(
                    uri: "segments/\(segment.index).mp3\(version)\(suffix.isEmpty ? "" : "&\(suffix)")",
                    sampleCount: segment.sampleCount, sampleRate: segment.sampleRate,
                    isDiscontinuity: segment.isDiscontinuity)
            case .byteRanges:
                return HLSSegment(
                    uri: "../../api/files/\(track.id)/stream\(suffix.isEmpty ? "" : "?\(suffix)")",
                    sampleCount: segment.sampleCount, sampleRate: segment.sampleRate,
                    byteRange: segment.byteRanges.first, isDiscontinuity: segment.isDiscontinuity)
            }
        }
        if form == .byteRanges, plan.segments.contains(where: { $0.byteRanges.count != 1 }) {
            throw HTTPError(
                .unprocessableContent, code: "not_contiguous",
                message: "The file has junk inside segments, so that byte ranges of it are no segments. "
                    + "Use the playlist without the form parameter.", field: "form")
        }
        return playlist(HLSManifestGenerator.mediaPlaylist(segments), track)
    }

    private func masterPlaylist(_ request: HTTPRequest) throws -> HTTPResponse {
        let (track, plan) = try planned(request)
        let suffix = Self.token(of: request)
        let rates = plan.segments.map { segment in
            Double((segment.byteCount + 73) * 8) / segment.durationSeconds
        }
        let bits = plan.segments.reduce(0) { $0 + ($1.byteCount + 73) * 8 }
        let seconds = StreamTime.seconds(plan.totalTicks)
        let variant = HLSManifestGenerator.Variant(
            uri: "stream.m3u8\(suffix.isEmpty ? "" : "?\(suffix)")",
            bandwidth: Int((rates.max() ?? 0).rounded(.up)),
            averageBandwidth: seconds > 0 ? Int((Double(bits) / seconds).rounded(.up)) : 0)
        let text = HLSManifestGenerator.masterPlaylist(
            variants: [variant], sessionData: SessionFacts(track).data)
        return playlist(text, track)
    }

    private func playlist(_ text: String, _ track: StreamedTrack) -> HTTPResponse {
        HTTPResponse(
            fields: [
                .contentType: HLSManifestGenerator.contentType,
                .cacheControl: "no-cache",
                .entityTag: EntityTag(
                    "\(track.hash)-\(text.utf8.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) })"
                )
                .description,
            ], body: .bytes(Array(text.utf8)))
    }

    // MARK: - Segments

    private func segment(_ request: HTTPRequest) throws -> HTTPResponse {
        let (track, plan) = try planned(request)
        let number: Int = try request.parameters.require("index")
        guard plan.segments.indices.contains(number) else {
            throw HTTPError(
                .notFound, code: "no_such_segment",
                message: "Track \(track.id) has \(plan.segments.count) segments.", field: "index")
        }
        let segment = plan.segments[number]
        let prefix = PackedAudioTimestamp.tag(timestamp: segment.mpegTimestamp)
        // The URL names the audio, so what it stands for never changes; without the name it may.
        let isAddressed = request.query["v"] == track.hash.description
        return HTTPResponse(
            fields: [
                .contentType: "audio/mpeg",
                .cacheControl: isAddressed ? "private, max-age=31536000, immutable" : "no-cache",
                .entityTag: EntityTag("\(track.hash)-s\(number)").description,
            ], body: try body(track, segment, prefix), allowsRanges: true)
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

    private func segmentIndex(_ request: HTTPRequest) throws -> HTTPResponse {
        let (track, plan) = try planned(request)
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
            trackID: track.id, audioHash: track.hash.description, fileSizeBytes: track.file.byteCount,
            sampleRateHz: stream.sampleRateHz, channels: stream.channels,
            samplesPerFrame: stream.samplesPerFrame, frameCount: stream.frameCount,
            encoderDelaySamples: stream.encoderDelaySamples,
            encoderPaddingSamples: stream.encoderPaddingSamples,
            decodedSampleCount: stream.decodedSampleCount, sampleCount: stream.sampleCount, segments: segments
        )
        return try .json(index, etag: EntityTag("\(track.hash)-index"))
    }

    // MARK: - What all share

    private func planned(_ request: HTTPRequest) throws -> (StreamedTrack, SegmentPlan) {
        let track = try tracks.track(try request.parameters.require("id"))
        switch track.plan {
        case .success(let plan): return (track, plan)
        case .failure(let error):
            throw HTTPError(
                .unprocessableContent, code: "cannot_segment",
                message: "This file cannot be cut into segments: \(error.message). "
                    + "It can be had whole at /api/files/\(track.id)/stream.")
        }
    }

    /// The signed token of a request as a query, to hand on to the addresses in a playlist.
    private static func token(of request: HTTPRequest) -> String {
        request.query["token"].map { "token=\($0)" } ?? ""
    }
}

/// The two ways of writing a media playlist.
private enum PlaylistForm {
    /// An address for each segment, which then bears a timestamp.
    case segments
    /// Ranges of the original file.
    case byteRanges

    init(_ request: HTTPRequest) throws(HTTPError) {
        switch request.query["form"] {
        case nil, "segments": self = .segments
        case "byteranges": self = .byteRanges
        default:
            throw HTTPError(
                .badRequest, code: "invalid_parameter", message: "form is \"segments\" or \"byteranges\".",
                field: "form")
        }
    }
}
