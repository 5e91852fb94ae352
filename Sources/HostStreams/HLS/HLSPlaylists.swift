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
    /// The segments in the requested quality.
    let layout: SegmentLayout
    /// The quality of the audio.
    var quality = StreamQuality.original
    /// Segments of the track as MP3, for the variants of the master playlist.
    let mp3: SegmentLayout
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
        let address = SegmentAddress(audioHash: track.hashText, cut: cut)
        let suffix = "?\(address.query)" + quality.query + query(after: "&")
        let kind = layout.container.fileExtension
        return HLSManifestGenerator.mediaPlaylist(
            layout.segments.map { segment in
                HLSSegment(
                    uri: "segments/\(segment.index).\(kind)\(suffix)", sampleCount: segment.sampleCount,
                    sampleRate: segment.sampleRate, isDiscontinuity: segment.isDiscontinuity,
                    map: segment.index == 0 ? map : nil)
            })
    }

    /// The URL of the initialization segment; nil without one. That of a cut lets players play all of its frames.
    private var map: String? {
        guard layout.container == .fragmentedMP4 else { return nil }
        return "init.mp4?\(SegmentAddress(audioHash: track.hashText, cut: cut).query)" + query(after: "&")
    }

    private func byteRanges() throws(HTTPError) -> String {
        guard !track.isConverted else {
            throw APIError.notTheFile(
                "Only ranges of an MP3 file are segments that HLS players accept. Omit the form parameter.",
                field: "form")
        }
        guard quality == .original else {
            throw APIError.notTheFile(
                "Only the original is available as ranges of its file. Omit the form parameter, or omit quality.",
                field: "form")
        }
        guard cut.keepsFrames else {
            throw APIError.notTheFile(
                "Ranges of the original file cannot be normalised or faded. Omit the form parameter, "
                    + "or omit normalize and fade.", field: "form")
        }
        guard layout.segments.allSatisfy({ $0.byteRanges.count == 1 }) else {
            throw APIError.notContiguous(
                "The file has junk inside segments, so they are not contiguous byte ranges. "
                    + "Omit the form parameter.", field: "form")
        }
        // Players such as ffmpeg reject URLs without a known extension.
        let uri =
            "../../api/files/\(track.id)/stream.mp3?\(Query.audioHash.name)=\(track.hashText)"
            + "&\(Query.firstByte.name)=\(track.firstByte)" + query(after: "&")
        return HLSManifestGenerator.mediaPlaylist(
            layout.segments.map { segment in
                HLSSegment(
                    uri: uri, sampleCount: segment.sampleCount, sampleRate: segment.sampleRate,
                    byteRange: segment.byteRanges.first, isDiscontinuity: segment.isDiscontinuity)
            })
    }

    /// The original is the first variant, because players start with it.
    private func master() -> String {
        let variants = (track.hasOriginalSegments ? [original] : []) + [.high, .low].compactMap(converted)
        return HLSManifestGenerator.masterPlaylist(
            variants: variants, sessionData: SessionFacts(track, cut).data)
    }

    private var original: HLSManifestGenerator.Variant {
        let rates = layout.bitRates()
        return HLSManifestGenerator.Variant(
            uri: "stream.m3u8" + masterQuery(.original), bandwidth: rates.largest,
            averageBandwidth: rates.average, codecs: layout.codec)
    }

    /// Returns the variant of a rendition; nil if the track has none.
    private func converted(_ quality: StreamQuality) -> HLSManifestGenerator.Variant? {
        guard cut.keepsFrames, let kilobits = Rendition.bitRate(of: track, quality) else { return nil }
        // A frame is at most one byte longer than the bit rate implies.
        let samplesPerFrame = Double(track.stream.samplesPerFrame)
        let exact = samplesPerFrame / 8 * Double(kilobits * 1000) / Double(track.stream.sampleRateHz)
        return HLSManifestGenerator.Variant(
            uri: "stream.m3u8" + masterQuery(quality),
            bandwidth: mp3.bitRates { (exact * Double($0.frameCount)).rounded(.up) + 1 }.largest,
            averageBandwidth: mp3.bitRates { exact * Double($0.frameCount) }.average)
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
