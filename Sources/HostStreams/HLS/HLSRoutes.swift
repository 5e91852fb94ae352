internal import Analyzer
internal import APIDescription
internal import Foundation
package import HTTPServer
package import LibraryStore
internal import MPEGAudio
package import MusicFiles
internal import MusicShared
internal import Synchronization

/// Serves HLS playlists and segments: the original frames, cut at frame boundaries.
package struct HLSRoutes: DescribedRoutes {
    let tracks: StreamedTracks
    let music: MusicFolder
    let library: LibraryStore
    let renditions: Renditions

    /// Memberwise initializer.
    package init(tracks: StreamedTracks, music: MusicFolder, library: LibraryStore, renditions: Renditions) {
        self.tracks = tracks
        self.music = music
        self.library = library
        self.renditions = renditions
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.mediaPlaylist, execution: .inline) { try await playlist($0, .init($0)) }
        routes.get(Routes.masterPlaylist, execution: .inline) { try await playlist($0, .master) }
        routes.get(Routes.segment, immediate: openSegment) { try await segment($0) }
        routes.get(Routes.segmentIndex) { try await segmentIndex($0) }
    }

    // MARK: - Playlists

    private func playlist(_ request: HTTPRequest, _ form: TrackPlaylist.Form) async throws -> HTTPResponse {
        let options = try StreamOptions(request.query)
        let track = try await track(request)
        let cut = try await cut(of: track, by: options)
        let quality = form == .master ? .original : try chosenQuality(of: track, request.query)
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

    /// A segment as requested.
    private struct RequestedSegment {
        let track: StreamedTrack
        let address: SegmentAddress
        let segment: SegmentPlan.Segment
        let quality: StreamQuality

        /// Whether it is sent as it is in the file.
        var isWhole: Bool { quality == .original && address.isWhole }
    }

    /// Answers a request for a segment as it is in its file, if the file is open; returns nil otherwise.
    @Sendable private func openSegment(_ request: HTTPRequest) throws -> HTTPResponse? {
        guard let track = tracks.openTrack(try request.parameters.require("id")) else { return nil }
        let requested = try requested(track, request)
        guard requested.isWhole, let region = try region(requested) else { return nil }
        return response(requested, tag: "", body: .file(region))
    }

    private func segment(_ request: HTTPRequest) async throws -> HTTPResponse {
        let track = try await tracks.track(try request.parameters.require("id"))
        let requested = try requested(track, request)
        if requested.quality == .low { return try await low(requested) }
        guard requested.isWhole else { return try await altered(requested) }
        if let region = try region(requested) { return response(requested, tag: "", body: .file(region)) }
        // Omit junk between the frames.
        let tag = PackedAudioTimestamp.tag(timestamp: requested.segment.mpegTimestamp)
        return response(requested, tag: "", body: .bytes(tag + (try bytes(track, requested.segment))))
    }

    private func requested(_ track: StreamedTrack, _ request: HTTPRequest) throws -> RequestedSegment {
        try request.requireAudio(track.hashText, ofTrack: track.id)
        let address = try SegmentAddress(request.query, frameCount: track.index.count)
        let plan = try plan(of: track, address.cut)
        let number: Int = try request.parameters.require("index")
        guard plan.segments.indices.contains(number) else {
            throw APIError.noSuchSegment(
                "Track \(track.id) has \(plan.segments.count) segments.", field: "index")
        }
        return RequestedSegment(
            track: track, address: address, segment: plan.segments[number],
            quality: try chosenQuality(of: track, request.query))
    }

    /// The quality that a request asks for; a file that is not MP3 has segments in the low quality only.
    private func chosenQuality(
        of track: StreamedTrack, _ query: QueryParameters
    ) throws(HTTPError) -> StreamQuality {
        let asked = try StreamQuality.parameter.value(in: query)
        return track.isConverted ? .low : asked
    }

    /// Returns the timestamp and the frames of a segment of the original; nil if its frames are not contiguous.
    private func region(_ requested: RequestedSegment) throws -> FileRegion? {
        let segment = requested.segment
        guard segment.byteRanges.count == 1, let range = segment.byteRanges.first else { return nil }
        return try FileRegion(
            requested.track.file, offset: range.lowerBound, length: range.count,
            prefix: PackedAudioTimestamp.tag(timestamp: segment.mpegTimestamp))
    }

    /// Starts creating the low quality, which will be requested soon. Does not wait: the playlist has the
    /// original's timing.
    private func prepareLow(_ track: StreamedTrack, _ cut: StreamCut) throws(HTTPError) {
        guard Rendition.bitRate(of: track) != nil else { throw Renditions.none }
        guard cut.keepsFrames else { throw Self.lowAtItsLevel }
        Task { _ = try? await renditions.rendition(of: track) }
    }

    private static let onlyMP3 = APIError.notNormalised(
        "Only MP3 files can be normalised or faded; this track is converted to MP3 as it is.",
        field: "normalize")

    private static let lowAtItsLevel = APIError.notNormalised(
        "The low quality is only available at the original level and without a fade.", field: "normalize")

    /// Returns a segment of the low quality, once that has been created.
    private func low(_ requested: RequestedSegment) async throws -> HTTPResponse {
        let address = requested.address
        guard address.cut.keepsFrames else { throw Self.lowAtItsLevel }
        let rendition = try await renditions.rendition(of: requested.track)
        guard let range = rendition.range(of: requested.segment.frames) else { throw Renditions.none }
        let region = try FileRegion(
            rendition.file, offset: range.lowerBound, length: range.count, prefix: Self.timestamp(requested))
        return response(requested, tag: address.tag + "-low", body: .file(region))
    }

    /// Returns a segment with a different cut, level or start time.
    private func altered(_ requested: RequestedSegment) async throws -> HTTPResponse {
        let (track, address) = (requested.track, requested.address)
        var steps = address.cut.gain.steps
        if steps != 0 {
            let reachable = try await headroom(of: track).steps
            // Playlists of one track only contain reachable gains; in those of several, each track gets as close as possible.
            steps = max(reachable.lowerBound, min(reachable.upperBound, steps))
        }
        var bytes = try bytes(track, requested.segment)
        let fade = address.cut.fade(frameCount: track.index.count)
        if steps != 0 || fade != nil {
            try Self.change(&bytes, by: GainChange(steps: steps), fade, track, requested.segment)
        }
        return response(requested, tag: address.tag, body: .bytes(Self.timestamp(requested) + bytes))
    }

    /// Returns the tag with the timestamp of a segment in its playlist.
    private static func timestamp(_ requested: RequestedSegment) -> [UInt8] {
        PackedAudioTimestamp.tag(
            timestamp: (requested.segment.mpegTimestamp + requested.address.timestampBase)
                & PackedAudioTimestamp.largest)
    }

    private func response(_ requested: RequestedSegment, tag: String, body: HTTPResponseBody) -> HTTPResponse
    {
        // Without the audio hash, the content behind the URL may change.
        let isConstant = requested.address.audioHash != nil
        var state = requested.track.hashText
        state += "-s"
        state += String(requested.segment.index)
        state += tag
        return HTTPResponse(
            fields: [
                .contentType: "audio/mpeg",
                .cacheControl: isConstant ? "private, max-age=31536000, immutable" : "no-cache",
                .entityTag: EntityTag(state).description,
                .acceptRanges: "bytes",
            ], body: body, allowsRanges: true)
    }

    /// Reads the segment's frames, without any junk between them.
    private func bytes(_ track: StreamedTrack, _ segment: SegmentPlan.Segment) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(segment.byteCount)
        do {
            for range in segment.byteRanges { try track.file.append(range, to: &bytes) }
        } catch {
            guard !track.isCurrent else { throw error }
            throw APIError.fileChanged(
                "The file of track \(track.id) changed while it was being read; try again in a moment.",
                fields: [.retryAfter: "5"])
        }
        return bytes
    }

    /// Applies gain and fade to the segment's frames, which are consecutive in `bytes`.
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
            throw APIError.fileChanged(
                "The file of track \(track.id) has changed since it was analysed: \(error.message).",
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
        if track.isConverted { index.isConverted = true }
        if cut.gain.steps != 0 { index.gainDB = cut.gain.decibels }
        if cut.fadeFrameCount != 0 { index.fadeFrameCount = cut.fadeFrameCount }
        // Offsets in the file change with the tags, while the audio stays the same.
        return try .json(index, taggedAs: "\(track.hashText)-index")
    }

    // MARK: - Shared

    private func track(_ request: HTTPRequest) async throws -> StreamedTrack {
        let track = try await tracks.track(try request.parameters.require("id"))
        try request.requireAudio(track.hashText, ofTrack: track.id)
        return track
    }

    /// Returns the cut that the options result in for a track.
    /// - Throws: 422 if they cannot be satisfied.
    private func cut(of track: StreamedTrack, by options: StreamOptions) async throws -> StreamCut {
        guard !options.areNone else { return .whole }
        guard !track.isConverted || (options.target == nil && options.fade == nil) else {
            throw Self.onlyMP3
        }
        var album: AlbumLoudness?
        if options.target != nil, options.loudness == .album, let id = track.albumID {
            // Leave the server's event thread, because reading the database may block.
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
            throw APIError.gainOutOfRange(
                "The gain of track \(track.id) can only be changed by \(levels[0]) to \(levels[1]) dB, not by "
                    + "\((cut.gain.decibels * 10).rounded() / 10) dB. Omit normalize to stream it unchanged.",
                field: "normalize")
        }
        return cut
    }

    private func headroom(of track: StreamedTrack) async throws -> GainHeadroom {
        if let known = track.knownHeadroom { return known }
        // Leave the server's event thread, because reading the whole file may block.
        await Task.yield()
        return try track.headroom(at: music.absolutePath(of: track.path))
    }

    private func plan(of track: StreamedTrack, _ cut: StreamCut) throws(HTTPError) -> SegmentPlan {
        do throws(MPEGAudioError) {
            return try track.plan(of: cut.frames)
        } catch {
            throw APIError.cannotSegment(
                "The file cannot be cut into segments: \(error.message). "
                    + "The whole file is available at /api/files/\(track.id)/stream.")
        }
    }
}
