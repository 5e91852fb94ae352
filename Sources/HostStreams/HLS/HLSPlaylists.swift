internal import Analyzer
internal import APIDescription
internal import Foundation
internal import HTTPServer
internal import MPEGAudio
internal import MusicShared
internal import Threads

/// Writes the playlists of a track and caches those that do not depend on the client.
struct HLSPlaylists {
    let track: StreamedTrack
    /// The options that the client requested, and the resulting cut.
    let options: StreamOptions
    let cut: StreamCut
    let plan: SegmentPlan
    /// The quality of the audio.
    var quality = StreamQuality.original
    /// The signed token of the request, which is passed on to the URLs in the playlist.
    let token: String?

    /// Returns a playlist.
    /// - Throws: 422 if the track cannot be served in this form.
    func rendered(_ form: TrackPlaylist.Form) throws(HTTPError) -> TrackPlaylist {
        // Playlists with a token are not reusable, so they are not cached.
        guard token == nil else { return TrackPlaylist(try text(form), track) }
        return try track.playlists.value(
            for: TrackPlaylist.Key(form: form, options: options, cut: cut, quality: quality)
        ) {
            () throws(HTTPError) in
            TrackPlaylist(try text(form), track)
        }
    }

    private func text(_ form: TrackPlaylist.Form) throws(HTTPError) -> String {
        switch form {
        case .segments: segments()
        case .byteRanges: try byteRanges()
        case .master: master()
        }
    }

    /// Returns the token as a query parameter.
    private func query(after mark: String) -> String { token.map { "\(mark)token=\($0)" } ?? "" }

    private func segments() -> String {
        let address = SegmentAddress(audioHash: track.hashText, cut: cut, timestampBase: 0)
        let suffix = "?\(address.query)" + quality.query + query(after: "&")
        return HLSManifestGenerator.mediaPlaylist(
            plan.segments.map { segment in
                HLSSegment(
                    uri: "segments/\(segment.index).mp3\(suffix)", sampleCount: segment.sampleCount,
                    sampleRate: segment.sampleRate, isDiscontinuity: segment.isDiscontinuity)
            })
    }

    private func byteRanges() throws(HTTPError) -> String {
        guard quality == .original else {
            throw APIError.notTheFile(
                "The low quality is not available as ranges of the original file.", field: "form")
        }
        guard cut.keepsFrames else {
            throw APIError.notTheFile(
                "Ranges of the original file cannot be normalised or faded. Omit the form parameter, "
                    + "or omit normalize and fade.", field: "form")
        }
        guard plan.segments.allSatisfy({ $0.byteRanges.count == 1 }) else {
            throw APIError.notContiguous(
                "The file has junk inside segments, so they are not contiguous byte ranges. "
                    + "Omit the form parameter.", field: "form")
        }
        // Players such as ffmpeg reject URLs without a known extension.
        let uri =
            "../../api/files/\(track.id)/stream.mp3?\(Query.audioHash.name)=\(track.hashText)"
            + "&\(Query.firstByte.name)=\(track.firstByte)" + query(after: "&")
        return HLSManifestGenerator.mediaPlaylist(
            plan.segments.map { segment in
                HLSSegment(
                    uri: uri, sampleCount: segment.sampleCount, sampleRate: segment.sampleRate,
                    byteRange: segment.byteRanges.first, isDiscontinuity: segment.isDiscontinuity)
            })
    }

    private func master() -> String {
        let overhead = PackedAudioTimestamp.byteCount
        let rates = plan.segments.map { segment in
            Double((segment.byteCount + overhead) * 8) / segment.durationSeconds
        }
        let bits = plan.segments.reduce(0) { $0 + ($1.byteCount + overhead) * 8 }
        let seconds = StreamTime.seconds(plan.totalTicks)
        let variant = HLSManifestGenerator.Variant(
            uri: "stream.m3u8" + masterQuery(.original),
            bandwidth: Int((rates.max() ?? 0).rounded(.up)),
            averageBandwidth: seconds > 0 ? Int((Double(bits) / seconds).rounded(.up)) : 0)
        return HLSManifestGenerator.masterPlaylist(
            variants: [variant] + (lowVariant.map { [$0] } ?? []), sessionData: SessionFacts(track, cut).data)
    }

    /// The low-quality variant, if the track has one. It is listed second, because players start with the
    /// first variant.
    private var lowVariant: HLSManifestGenerator.Variant? {
        guard cut.keepsFrames, !track.isConverted, let kilobits = Rendition.bitRate(of: track) else {
            return nil
        }
        // A frame is at most one byte longer than the bit rate implies.
        let samplesPerFrame = Double(track.stream.samplesPerFrame)
        let exact = samplesPerFrame / 8 * Double(kilobits * 1000) / Double(track.stream.sampleRateHz)
        let rates = plan.segments.map { segment in
            let bytes = (exact * Double(segment.frameCount)).rounded(.up) + 1
            return (bytes + Double(PackedAudioTimestamp.byteCount)) * 8 / segment.durationSeconds
        }
        let overhead = Double(plan.segments.count * PackedAudioTimestamp.byteCount * 8)
        let seconds = StreamTime.seconds(plan.totalTicks)
        return HLSManifestGenerator.Variant(
            uri: "stream.m3u8" + masterQuery(StreamQuality.low),
            bandwidth: Int((rates.max() ?? 0).rounded(.up)),
            averageBandwidth: seconds > 0
                ? Int((Double(kilobits * 1000) + overhead / seconds).rounded(.up)) : 0)
    }

    /// Returns the options and the token as the query of a variant's URL.
    private func masterQuery(_ quality: StreamQuality) -> String {
        let parts = options.query + quality.query + query(after: "&")
        return parts.isEmpty ? "" : "?" + parts.dropFirst()
    }
}

extension TrackPlaylist.Form {
    /// The forms that clients can request.
    enum Requested: String, CaseIterable {
        case segments, byteranges
    }

    static let parameter = QueryParameter<Requested>(
        "form", "One URL per segment, or byte ranges of the original file.", default: .segments)

    /// Reads the form of the requested media playlist.
    init(_ request: HTTPRequest) throws(HTTPError) {
        switch try request.value(Self.parameter) {
        case .segments: self = .segments
        case .byteranges: self = .byteRanges
        }
    }
}
