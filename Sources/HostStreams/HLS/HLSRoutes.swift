internal import AudioFrames
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
        routes.get(Routes.fragment, immediate: openFragment) {
            try fragment(try await tracks.track(try $0.parameters.require("id")), $0)
        }
        routes.get(Routes.initializationSegment) { try await initializationSegment($0) }
        routes.get(Routes.fragmentedFile) { try await fragmentedFile($0) }
        routes.get(Routes.convertedFile) { try await convertedFile($0) }
        routes.get(Routes.segmentIndex) { try await segmentIndex($0) }
    }

    // MARK: - Playlists

    private func playlist(_ request: HTTPRequest, _ form: TrackPlaylist.Form) async throws -> HTTPResponse {
        let options = try StreamOptions(request.query)
        let track = try await track(request)
        let quality = track.served(
            form == .master ? .original : try StreamQuality.parameter.value(in: request.query))
        let cut = try await cut(of: track, quality, by: options)
        if quality != .original { try prepare(quality, of: track, cut) }
        let layout = try layout(of: track, quality, cut)
        var mp3 = layout
        if form == .master, track.isConverted {
            mp3 = try self.layout(of: track, .high, try await self.cut(of: track, .high, by: options))
        }
        let playlist = try HLSPlaylists(
            track: track, options: options, cut: cut, layout: layout, quality: quality, mp3: mp3,
            token: request.query["token"]
        ).rendered(form)
        return HTTPResponse(
            fields: [
                .contentType: HLSManifestGenerator.contentType,
                .cacheControl: "no-cache",
                .entityTag: playlist.entityTag,
            ], body: .bytes(playlist.bytes))
    }

    private func layout(
        of track: StreamedTrack, _ quality: StreamQuality, _ cut: StreamCut
    ) throws(HTTPError) -> SegmentLayout {
        if quality == .original, let frames = track.fragmented { return SegmentLayout(frames, cut.frames) }
        return SegmentLayout(try plan(of: track, cut))
    }

    // MARK: - Segments

    /// A segment of MP3 frames as requested.
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
        if requested.quality != .original { return try await converted(requested) }
        guard requested.isWhole else { return try await altered(requested) }
        if let region = try region(requested) { return response(requested, tag: "", body: .file(region)) }
        // Omit junk between the frames.
        let tag = PackedAudioTimestamp.tag(timestamp: requested.segment.mpegTimestamp)
        return response(
            requested, tag: "", body: .bytes(tag + (try bytes(track, requested.segment.byteRanges))))
    }

    private func requested(_ track: StreamedTrack, _ request: HTTPRequest) throws -> RequestedSegment {
        try request.requireAudio(track.hashText, ofTrack: track.id)
        let address = try SegmentAddress(request.query, frameCount: track.index.count)
        guard address.timestampBase <= Int(PackedAudioTimestamp.largest) else {
            throw APIError.invalidParameter(
                "start must be a number from 0 to \(PackedAudioTimestamp.largest) for MP3 segments.",
                field: SegmentAddress.startParameter.name)
        }
        let plan = try plan(of: track, address.cut)
        var quality = try StreamQuality.parameter.value(in: request.query)
        // A file of another format has MP3 segments in these qualities only.
        if track.isConverted, quality == .original { quality = .high }
        return RequestedSegment(
            track: track, address: address, segment: try Self.segment(request, in: plan.segments, of: track),
            quality: quality)
    }

    /// Returns the segment that a URL names.
    static func segment<Segment>(
        _ request: HTTPRequest, in segments: [Segment], of track: StreamedTrack
    ) throws -> Segment {
        let number: Int = try request.parameters.require("index")
        guard segments.indices.contains(number) else {
            throw APIError.noSuchSegment(
                "Track \(track.id) has \(segments.count) segments.", field: "index")
        }
        return segments[number]
    }

    /// Returns the timestamp and the frames of a segment of the original; nil if its frames are not contiguous.
    private func region(_ requested: RequestedSegment) throws -> FileRegion? {
        let segment = requested.segment
        guard segment.byteRanges.count == 1, let range = segment.byteRanges.first else { return nil }
        return try FileRegion(
            requested.track.file, offset: range.lowerBound, length: range.count,
            prefix: PackedAudioTimestamp.tag(timestamp: segment.mpegTimestamp))
    }

    /// Starts creating a rendition, which will be requested soon. Does not wait: its timing is known.
    private func prepare(
        _ quality: StreamQuality, of track: StreamedTrack, _ cut: StreamCut
    ) throws(HTTPError) {
        guard Rendition.bitRate(of: track, quality) != nil else { throw Renditions.none }
        guard cut.keepsFrames else { throw Self.convertedAtItsLevel }
        Task { _ = try? await renditions.rendition(of: track, quality) }
    }

    static let onlyMP3 = APIError.notNormalised(
        "Only MP3 files can be normalised or faded on the host. Omit normalize and fade, and let the player change the level; "
            + "the measured loudness is in the track's analysis.",
        field: "normalize")

    private static let convertedAtItsLevel = APIError.notNormalised(
        "The qualities high and low are only available at the original level and without a fade.",
        field: "normalize")

    /// Returns a segment of a rendition, once its frames are encoded.
    private func converted(_ requested: RequestedSegment) async throws -> HTTPResponse {
        let address = requested.address
        guard address.cut.keepsFrames else { throw Self.convertedAtItsLevel }
        let prefix = Self.timestamp(requested)
        let body: HTTPResponseBody
        switch try await renditions.part(of: requested.track, requested.quality, requested.segment.frames) {
        case .bytes(let bytes): body = .bytes(prefix + bytes)
        case .range(let range, let file):
            body = .file(
                try FileRegion(file, offset: range.lowerBound, length: range.count, prefix: prefix))
        }
        return response(requested, tag: "\(address.tag)-\(requested.quality.rawValue)", body: body)
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
        var bytes = try bytes(track, requested.segment.byteRanges)
        let fade = address.cut.fade(frameCount: track.index.count)
        if steps != 0 || fade != nil {
            try Self.change(&bytes, by: GainChange(steps: steps), fade, track, requested.segment)
        }
        return response(requested, tag: address.tag, body: .bytes(Self.timestamp(requested) + bytes))
    }

    /// Returns the tag with the timestamp of a segment in its playlist.
    private static func timestamp(_ requested: RequestedSegment) -> [UInt8] {
        PackedAudioTimestamp.tag(
            timestamp: (requested.segment.mpegTimestamp &+ UInt64(requested.address.timestampBase))
                & PackedAudioTimestamp.largest)
    }

    private func response(_ requested: RequestedSegment, tag: String, body: HTTPResponseBody) -> HTTPResponse
    {
        var state = requested.track.hashText
        state += "-s"
        state += String(requested.segment.index)
        state += tag
        return response(.packedAudio, state: state, requested.address.audioHash, body)
    }

    /// - Parameter audioHash: the audio hash in the URL: without one, the content behind the URL may change.
    func response(
        _ container: SegmentContainer, state: String, _ audioHash: String?, _ body: HTTPResponseBody
    ) -> HTTPResponse {
        let isConstant = audioHash != nil
        return HTTPResponse(
            fields: [
                .contentType: container.mediaType,
                .cacheControl: isConstant ? "private, max-age=31536000, immutable" : "no-cache",
                .entityTag: EntityTag(state).description,
                .acceptRanges: "bytes",
            ], body: body, allowsRanges: true)
    }

    /// Reads the frames of a segment, without any junk between them.
    func bytes(_ track: StreamedTrack, _ ranges: [Range<Int>]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ranges.reduce(0) { $0 + $1.count })
        do {
            for range in ranges { try track.file.append(range, to: &bytes) }
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

    // MARK: - Index

    private func segmentIndex(_ request: HTTPRequest) async throws -> HTTPResponse {
        let options = try StreamOptions(request.query)
        let track = try await track(request)
        let quality = track.served(try StreamQuality.parameter.value(in: request.query))
        let cut = try await cut(of: track, quality, by: options)
        if quality != .original { try prepare(quality, of: track, cut) }
        var index: SegmentIndex
        if quality == .original, let frames = track.fragmented {
            index = SegmentIndex(of: track, frames, cut.frames)
        } else {
            index = SegmentIndex(
                of: track, try plan(of: track, cut), first: cut.frames?.lowerBound ?? 0,
                prerolls: try track.prerollFrames(of: cut.frames, at: track.filePath))
            if quality != .original { index.isConverted = true }
            if quality == .high {
                // The frames of the plan are those of the file.
                index.fileSizeBytes = track.index.byteCount
                index.fileURL =
                    Routes.convertedFile.replacingOccurrences(of: ":id", with: "\(track.id)")
                    + "?\(StreamQuality.parameter.name)=\(quality.rawValue)"
            }
            if cut.gain.steps != 0 { index.gainDB = cut.gain.decibels }
            if cut.fadeFrameCount != 0 { index.fadeFrameCount = cut.fadeFrameCount }
        }
        // Offsets in the file change with the tags, while the audio stays the same.
        return try .json(index, taggedAs: "\(track.hashText)-index")
    }

    // MARK: - Shared

    func track(_ request: HTTPRequest) async throws -> StreamedTrack {
        let track = try await tracks.track(try request.parameters.require("id"))
        try request.requireAudio(track.hashText, ofTrack: track.id)
        return track
    }

    /// Returns the cut that the options result in for a track in a quality.
    /// - Throws: 422 if they cannot be satisfied.
    private func cut(
        of track: StreamedTrack, _ quality: StreamQuality, by options: StreamOptions
    ) async throws -> StreamCut {
        guard !options.areNone else { return .whole }
        guard !track.isConverted || (options.target == nil && options.fade == nil) else {
            throw Self.onlyMP3
        }
        if quality == .original, let frames = track.fragmented {
            return try StreamCut(
                options, stream: track.original, profile: track.profile, frames: frames, album: nil)
        }
        var album: AlbumLoudness?
        if options.target != nil, options.loudness == .album, let id = track.albumID {
            // Leave the server's event thread, because reading the database may block.
            await Task.yield()
            album = try library.albumLoudness(id: id)
        }
        let cut = try StreamCut(
            options, stream: track.stream, profile: track.profile, frames: track.index, album: album)
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
        return try track.headroom(at: track.filePath)
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
