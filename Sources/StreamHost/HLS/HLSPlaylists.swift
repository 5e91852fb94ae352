internal import Analyzer
internal import Foundation
internal import HTTPServer
internal import MPEGAudio
internal import MusicShared
internal import Synchronization

/// Writes the playlists of a track; keeps those that are the same for everyone.
struct HLSPlaylists {
    /// What a client can ask for.
    enum Form: Hashable, Sendable {
        /// A media playlist with an address for each segment, which then bears a timestamp.
        case segments
        /// A media playlist of ranges of the original file.
        case byteRanges
        /// The master playlist.
        case master
    }

    /// What a playlist depends on, besides the track.
    struct Key: Hashable, Sendable {
        let form: Form
        let options: StreamOptions
        let cut: StreamCut
        let quality: StreamQuality
    }

    /// A playlist as it is sent.
    struct Rendered: Sendable {
        let bytes: [UInt8]
        let entityTag: String

        init(_ text: String, _ track: StreamedTrack) {
            bytes = Array(text.utf8)
            entityTag = EntityTag(track.hashText, ofContent: bytes).description
        }
    }

    let track: StreamedTrack
    /// What the client asked for, and what it comes to.
    let options: StreamOptions
    let cut: StreamCut
    let plan: SegmentPlan
    /// How good the sound is.
    var quality = StreamQuality.original
    /// The signed token of the request, to hand on to the addresses in the playlist.
    let token: String?

    /// The playlist in a form.
    /// - Throws: 422 where the track has none in this form.
    func rendered(_ form: Form) throws(HTTPError) -> Rendered {
        // Each token makes a playlist of its own, which nobody else asks for.
        guard token == nil else { return Rendered(try text(form), track) }
        return try track.playlists.value(for: Key(form: form, options: options, cut: cut, quality: quality)) {
            () throws(HTTPError) in
            Rendered(try text(form), track)
        }
    }

    private func text(_ form: Form) throws(HTTPError) -> String {
        switch form {
        case .segments: segments()
        case .byteRanges: try byteRanges()
        case .master: master()
        }
    }

    /// The token as a query.
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
            throw HTTPError(
                .unprocessableContent, code: "not_the_file",
                message: "The low quality is no range of the original file.", field: "form")
        }
        guard cut.keepsFrames else {
            throw HTTPError(
                .unprocessableContent, code: "not_the_file",
                message:
                    "Ranges of the original file can be neither normalised nor faded. Use the playlist without the form "
                    + "parameter, or without normalize and fade.", field: "form")
        }
        guard plan.segments.allSatisfy({ $0.byteRanges.count == 1 }) else {
            throw HTTPError(
                .unprocessableContent, code: "not_contiguous",
                message: "The file has junk inside segments, so that byte ranges of it are no segments. "
                    + "Use the playlist without the form parameter.", field: "form")
        }
        let uri = "../../api/files/\(track.id)/stream" + query(after: "?")
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

    /// The low quality, where the track has one. It comes second: players begin with what comes first.
    private var lowVariant: HLSManifestGenerator.Variant? {
        guard cut.keepsFrames, let kilobits = Rendition.bitRate(of: track) else { return nil }
        // A frame is at most one byte longer than the rate says, and as many frames as fit into a segment.
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

    /// The options and the token as the query of a variant's address.
    private func masterQuery(_ quality: StreamQuality) -> String {
        let parts = options.query + quality.query + query(after: "&")
        return parts.isEmpty ? "" : "?" + parts.dropFirst()
    }
}

extension HLSPlaylists.Form {
    /// The form of the media playlist that a request asks for.
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
