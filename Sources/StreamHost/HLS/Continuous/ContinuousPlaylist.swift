internal import Analyzer
internal import Companion
internal import HTTPServer
internal import MPEGAudio
internal import MusicShared
internal import Tagging

/// Writes the playlist of many tracks, one after the other, from what is stored of them: no file is looked at.
///
/// Each track begins with a discontinuity, since its encoding may be another, yet times go on through all of them: so players that
/// make nothing of discontinuities keep their clock.
struct ContinuousPlaylist {
    private let library: LibraryStore
    private let options: StreamOptions
    private let token: (Int) -> String?
    private var writer = HLSPlaylistWriter()
    /// Exact time at which the next track begins.
    private var ticks = 0
    private var isFirst = true
    /// The loudness of the album of the track before, which is mostly that of the next, too.
    private var album: (id: Int, loudness: AlbumLoudness?)?

    /// - Parameter token: the signed token for a track that its segments' addresses carry, if any.
    init(library: LibraryStore, options: StreamOptions, token: @escaping (Int) -> String?) {
        self.library = library
        self.options = options
        self.token = token
    }

    /// What comes first.
    var head: String { HLSPlaylistWriter.head(targetDuration: Int(StreamingConstants.segmentSeconds)) }

    /// What comes last.
    var end: String { HLSPlaylistWriter.end }

    /// The lines of a track; a comment where it cannot be streamed.
    mutating func lines(ofTrack id: Int) throws -> String {
        guard let found = try library.track(id: id), found.track.unavailableSince == nil,
            let analysis = found.analysis
        else { return HLSPlaylistWriter.comment("Track \(id) is left out: it is gone or not analysed yet.") }
        do throws(MPEGAudioError) {
            let index = try FrameIndex(decoding: analysis.stream.frameIndex)
            let cut = cut(of: found, analysis, index)
            let plan = try SegmentPlan(
                index: index, frames: cut.frames, targetDuration: StreamingConstants.segmentSeconds)
            return lines(of: plan, found, analysis, cut)
        } catch {
            return HLSPlaylistWriter.comment("Track \(id) is left out: \(error.message).")
        }
    }

    /// What the options come to for a track; nothing where it was not measured.
    private mutating func cut(
        of found: AnalysedTrack, _ analysis: TrackAnalysis, _ index: FrameIndex
    ) -> StreamCut {
        var album: AlbumLoudness?
        if options.target != nil, options.loudness == .album, let id = found.track.albumID {
            album = loudness(ofAlbum: id)
        }
        let cut = try? StreamCut(
            options, stream: analysis.stream, profile: analysis.profile, index: index, album: album)
        return cut ?? .whole
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
