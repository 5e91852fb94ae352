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
    let library: LibraryStore
    let renditions: Renditions

    func add(to routes: some RouteCollection) {
        routes.get(Routes.mediaPlaylist, execution: .inline) { try await playlist($0, .init($0)) }
        routes.get(Routes.masterPlaylist, execution: .inline) { try await playlist($0, .master) }
        routes.get(Routes.segment, execution: .inline) { try await segment($0) }
        routes.get(Routes.segmentIndex) { try await segmentIndex($0) }
    }

    // MARK: - Playlists

    private func playlist(_ request: HTTPRequest, _ form: HLSPlaylists.Form) async throws -> HTTPResponse {
        let options = try StreamOptions(request.query)
        let track = try await track(request)
        let cut = try await cut(of: track, by: options)
        let quality = form == .master ? .original : try StreamQuality(request.query)
        if quality == .low { try prepareLow(track, cut) }
        let playlist = try HLSPlaylists(
            track: track, options: options, cut: cut, plan: try plan(of: track, cut), quality: quality,
            token: request.query["token"]
        ).rendered(form)
        return HTTPResponse(
            fields: [
                .contentType: HLSManifestGenerator.contentType,
                .cacheControl: "no-cache",
                .entityTag: playlist.entityTag,
            ], body: .bytes(playlist.bytes))
    }

    // MARK: - Segments

    private func segment(_ request: HTTPRequest) async throws -> HTTPResponse {
        let track = try await track(request)
        let address = try SegmentAddress(request.query, frameCount: track.index.count)
        let plan = try plan(of: track, address.cut)
        let number: Int = try request.parameters.require("index")
        guard plan.segments.indices.contains(number) else {
            throw HTTPError(
                .notFound, code: "no_such_segment",
                message: "Track \(track.id) has \(plan.segments.count) segments.", field: "index")
        }
        if try StreamQuality(request.query) == .low {
            return try await low(track, plan.segments[number], address)
        }
        var response =
            address.isWhole
            ? try whole(track, plan.segments[number])
            : try await altered(track, plan.segments[number], address)
        // Where the address does not name the audio, what it stands for may change.
        if address.audioHash != track.hashText { response.fields[.cacheControl] = "no-cache" }
        return response
    }

    /// A segment of the original, as a request gets it that names the audio. It is complete, so that most requests need no copy of
    /// its fields.
    private func whole(_ track: StreamedTrack, _ segment: SegmentPlan.Segment) throws -> HTTPResponse {
        if let known = track.segments.withLock({ $0[segment.index] }) { return known }
        let prefix = PackedAudioTimestamp.tag(timestamp: segment.mpegTimestamp)
        let made: HTTPResponse
        if segment.byteRanges.count == 1 {
            let range = segment.byteRanges[0]
            let region = try FileRegion(
                track.file, offset: range.lowerBound, length: range.count, prefix: prefix)
            var response = response(track, segment, tag: "", body: .file(region))
            let file = track.file
            response.repetition = Repetition { file.isUnchanged }
            made = response
            // A piece of a file takes no memory; bytes do.
            track.segments.withLock { $0[segment.index] = made }
        } else {
            // Junk lies between the frames: leave it out.
            made = response(track, segment, tag: "", body: .bytes(prefix + (try bytes(track, segment))))
        }
        return made
    }

    /// Has the low quality made, which is asked for soon. Nobody waits for it here: the playlist is the original's.
    private func prepareLow(_ track: StreamedTrack, _ cut: StreamCut) throws(HTTPError) {
        guard Rendition.bitRate(of: track) != nil else { throw Renditions.none }
        guard cut.keepsFrames else { throw Self.lowAtItsLevel }
        Task { _ = try? await renditions.rendition(of: track) }
    }

    private static let lowAtItsLevel = HTTPError(
        .unprocessableContent, code: "not_normalised",
        message: "The low quality is only there at the level of the original, without a fade.",
        field: "normalize")

    /// A segment of the low quality; waits until it is made.
    private func low(
        _ track: StreamedTrack, _ segment: SegmentPlan.Segment, _ address: SegmentAddress
    ) async throws -> HTTPResponse {
        guard address.cut.keepsFrames else { throw Self.lowAtItsLevel }
        let rendition = try await renditions.rendition(of: track)
        let timestamp = (segment.mpegTimestamp + address.timestampBase) & PackedAudioTimestamp.largest
        let prefix = PackedAudioTimestamp.tag(timestamp: timestamp)
        guard let range = rendition.range(of: segment.frames) else { throw Renditions.none }
        let region = try FileRegion(
            rendition.file, offset: range.lowerBound, length: range.count, prefix: prefix)
        var answer = response(track, segment, tag: address.tag + "-low", body: .file(region))
        if address.audioHash != track.hashText { answer.fields[.cacheControl] = "no-cache" }
        return answer
    }

    /// A segment of another cut, at another level, or at another time.
    private func altered(
        _ track: StreamedTrack, _ segment: SegmentPlan.Segment, _ address: SegmentAddress
    ) async throws -> HTTPResponse {
        var steps = address.cut.gain.steps
        if steps != 0 {
            let reachable = try await headroom(of: track).steps
            // Playlists of one track ask for nothing that cannot be reached; in those of many a track comes as near as it can.
            steps = max(reachable.lowerBound, min(reachable.upperBound, steps))
        }
        var bytes = try bytes(track, segment)
        let fade = address.cut.fade(frameCount: track.index.count)
        if steps != 0 || fade != nil {
            try Self.change(&bytes, by: GainChange(steps: steps), fade, track, segment)
        }
        let timestamp = (segment.mpegTimestamp + address.timestampBase) & PackedAudioTimestamp.largest
        return response(
            track, segment, tag: address.tag,
            body: .bytes(PackedAudioTimestamp.tag(timestamp: timestamp) + bytes))
    }

    private func response(
        _ track: StreamedTrack, _ segment: SegmentPlan.Segment, tag: String, body: HTTPResponseBody
    ) -> HTTPResponse {
        HTTPResponse(
            fields: [
                .contentType: "audio/mpeg",
                .cacheControl: "private, max-age=31536000, immutable",
                .entityTag: EntityTag("\(track.hashText)-s\(segment.index)\(tag)").description,
                .acceptRanges: "bytes",
            ], body: body, allowsRanges: true)
    }

    /// The segment's frames, without what lies between them.
    private func bytes(_ track: StreamedTrack, _ segment: SegmentPlan.Segment) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(segment.byteCount)
        for range in segment.byteRanges { try track.file.append(range, to: &bytes) }
        return bytes
    }

    /// Changes and fades the level of a segment's frames, which stand in `bytes` one after the other.
    private static func change(
        _ bytes: inout [UInt8], by change: GainChange, _ fade: GainFade?, _ track: StreamedTrack,
        _ segment: SegmentPlan.Segment
    ) throws(HTTPError) {
        var span = bytes.mutableSpan
        var memory = span.mutableBytes
        var offset = 0
        do throws(MPEGAudioError) {
            for frame in segment.frames {
                try change.apply(to: &memory, frameAt: offset, fadedBy: fade?.steps(ofFrame: frame) ?? 0)
                offset += track.index[frame].length
            }
        } catch {
            throw HTTPError(
                .conflict, code: "file_changed",
                message: "The file of track \(track.id) has changed since it was analysed: \(error.message).",
                fields: [.retryAfter: "5"])
        }
    }

    private func segmentIndex(_ request: HTTPRequest) async throws -> HTTPResponse {
        let options = try StreamOptions(request.query)
        let track = try await track(request)
        let cut = try await cut(of: track, by: options)
        let plan = try plan(of: track, cut)
        let prerolls = try track.prerollFrames(of: cut.frames, at: music.absolutePath(of: track.path))
        let origin = track.index.startTicks(ofFrame: cut.frames?.lowerBound ?? 0)
        let rate = track.stream.sampleRateHz
        let segments = zip(plan.segments, prerolls).map { segment, preroll in
            SegmentIndex.Segment(
                index: segment.index, byteOffset: track.index[segment.firstFrame].offset,
                byteLength: (segment.byteRanges.last?.upperBound ?? 0)
                    - track.index[segment.firstFrame].offset,
                firstFrame: segment.firstFrame, frameCount: segment.frameCount,
                startSample: StreamTime.samples(origin + segment.startTicks, at: rate),
                startSeconds: StreamTime.seconds(origin + segment.startTicks),
                durationSeconds: segment.durationSeconds,
                sampleCount: segment.sampleCount, prerollFrames: segment.firstFrame - preroll,
                prerollByteOffset: track.index[preroll].offset)
        }
        let stream = track.stream
        var index = SegmentIndex(
            trackID: track.id, audioHash: track.hashText, fileSizeBytes: track.file.byteCount,
            sampleRateHz: stream.sampleRateHz, channels: stream.channels,
            samplesPerFrame: stream.samplesPerFrame, frameCount: stream.frameCount,
            encoderDelaySamples: stream.encoderDelaySamples,
            encoderPaddingSamples: stream.encoderPaddingSamples,
            decodedSampleCount: stream.decodedSampleCount, sampleCount: stream.sampleCount, segments: segments
        )
        if cut.gain.steps != 0 { index.gainDB = cut.gain.decibels }
        if cut.fadeFrameCount != 0 { index.fadeFrameCount = cut.fadeFrameCount }
        return try .json(index, etag: EntityTag("\(track.hashText)-index\(cut.tag)"))
    }

    // MARK: - What all share

    private func track(_ request: HTTPRequest) async throws -> StreamedTrack {
        try await tracks.track(try request.parameters.require("id"))
    }

    /// What options come to for a track.
    /// - Throws: 422 where they cannot be met.
    private func cut(of track: StreamedTrack, by options: StreamOptions) async throws -> StreamCut {
        guard !options.areNone else { return .whole }
        var album: AlbumLoudness?
        if options.target != nil, options.loudness == .album, let id = track.albumID {
            // From here on not on the server's own threads, since the database is asked.
            await Task.yield()
            album = try library.albumLoudness(id: id)
        }
        let cut = try StreamCut(
            options, stream: track.stream, profile: track.profile, index: track.index, album: album)
        guard cut.gain.steps != 0 else { return cut }
        let reachable = try await headroom(of: track).steps
        guard reachable.contains(cut.gain.steps) else {
            let levels = [reachable.lowerBound, reachable.upperBound].map { steps in
                (GainChange(steps: steps).decibels * 10).rounded() / 10
            }
            throw HTTPError(
                .unprocessableContent, code: "gain_out_of_range",
                message:
                    "The frames of track \(track.id) can be changed by \(levels[0]) to \(levels[1]) dB only, not by "
                    + "\((cut.gain.decibels * 10).rounded() / 10) dB. Without normalize it can be had as it is.",
                field: "normalize")
        }
        return cut
    }

    private func headroom(of track: StreamedTrack) async throws -> GainHeadroom {
        if let known = track.knownHeadroom { return known }
        // From here on not on the server's own threads, since all of the file is looked at.
        await Task.yield()
        return try track.headroom(at: music.absolutePath(of: track.path))
    }

    private func plan(of track: StreamedTrack, _ cut: StreamCut) throws(HTTPError) -> SegmentPlan {
        do throws(MPEGAudioError) {
            return try track.plan(of: cut.frames)
        } catch {
            throw HTTPError(
                .unprocessableContent, code: "cannot_segment",
                message: "This file cannot be cut into segments: \(error.message). "
                    + "It can be had whole at /api/files/\(track.id)/stream.")
        }
    }
}
