internal import Analyzer
internal import HTTPServer
internal import LibraryStore
internal import MPEGAudio
internal import MusicShared
internal import Tagging

/// Writes an HLS playlist of consecutive tracks from stored data, without reading any file.
///
/// Frames with nothing but encoder delay or padding are omitted, because players of such playlists cannot
/// trim samples and would pause at each joint. Each track begins with a discontinuity, because its encoding
/// may differ, but timestamps continue across tracks, so players that ignore discontinuities keep their
/// clock.
struct ContinuousPlaylist {
    private let library: LibraryStore
    private let options: StreamOptions
    private let token: (Int) -> String?
    private var writer = HLSPlaylistWriter()
    /// Exact start time of the next track, in ticks of ``StreamTime``.
    private var ticks = 0
    private var isFirst = true
    /// The previous track's album and its loudness, because consecutive tracks are usually from one album.
    private var album: (id: Int, loudness: AlbumLoudness?)?

    /// - Parameter token: Returns the signed token for a track's segment URLs, if any.
    init(library: LibraryStore, options: StreamOptions, token: @escaping (Int) -> String?) {
        self.library = library
        self.options = options
        self.token = token
    }

    /// The playlist's header.
    var head: String { HLSPlaylistWriter.head(targetDuration: Int(StreamingConstants.segmentSeconds)) }

    /// The playlist's last line.
    var end: String { HLSPlaylistWriter.end }

    /// Returns the lines of a track, or a comment if it cannot be streamed.
    mutating func lines(ofTrack id: Int) throws -> String {
        guard let found = try library.track(id: id), found.track.unavailableSince == nil,
            let analysis = found.analysis
        else {
            return HLSPlaylistWriter.comment(
                "Track \(id) is omitted: it is missing or has not been analysed yet.")
        }
        do throws(MPEGAudioError) {
            guard analysis.stream.format == .mp3 else {
                return HLSPlaylistWriter.comment(
                    "Track \(id) is omitted: it is no MP3 file; its own playlist streams it as MP3.")
            }
            let index = try FrameIndex(decoding: analysis.stream.frameIndex)
            let cut = cut(of: found, analysis, index)
            let plan = try SegmentPlan(
                index: index, frames: cut.frames, targetDuration: StreamingConstants.segmentSeconds)
            return lines(of: plan, found, analysis, cut)
        } catch {
            return HLSPlaylistWriter.comment("Track \(id) is omitted: \(error.message).")
        }
    }

    /// Returns the cut that the options result in for a track; the whole track if it has not been measured.
    private mutating func cut(
        of found: AnalysedTrack, _ analysis: TrackAnalysis, _ index: FrameIndex
    ) -> StreamCut {
        var album: AlbumLoudness?
        if options.target != nil, options.loudness == .album, let id = found.track.albumID {
            album = loudness(ofAlbum: id)
        }
        let cut = try? StreamCut(
            options, stream: analysis.stream, profile: analysis.profile, index: index, album: album)
        return (cut ?? .whole).withoutPadding(of: analysis.stream, index)
    }

    private mutating func loudness(ofAlbum id: Int) -> AlbumLoudness? {
        if let album, album.id == id { return album.loudness }
        let loudness = try? library.albumLoudness(id: id)
        album = (id, loudness)
        return loudness
    }

    private mutating func lines(
        of plan: SegmentPlan, _ found: AnalysedTrack, _ analysis: TrackAnalysis, _ cut: StreamCut
    ) -> String {
        let id = found.track.id
        let address = SegmentAddress(
            audioHash: analysis.audioHash.description, cut: cut,
            timestampBase: StreamTime.mpegTimestamp(ticks))
        let query = address.query + (token(id).map { "&token=\($0)" } ?? "")
        let title = [found.track.tags.artist, found.track.tags.title].compactMap(\.self).joined(
            separator: " - ")
        var text = ""
        for segment in plan.segments {
            let isTrackStart = segment.index == 0
            text += writer.entry(
                HLSSegment(
                    uri: "../../tracks/\(id)/segments/\(segment.index).mp3?\(query)",
                    sampleCount: segment.sampleCount, sampleRate: segment.sampleRate,
                    isDiscontinuity: segment.isDiscontinuity || (isTrackStart && !isFirst),
                    title: isTrackStart ? title : ""))
        }
        isFirst = false
        ticks += plan.totalTicks
        return text
    }
}
