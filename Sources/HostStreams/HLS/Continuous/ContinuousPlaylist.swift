internal import Analyzer
internal import APIDescription
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
    /// The streamed part of a track.
    private struct Part {
        let layout: SegmentLayout
        let cut: StreamCut
        var quality = StreamQuality.original
        /// Start in the playlist, in the unit of the segments' clock.
        let start: Int
    }

    private let library: LibraryStore
    private let options: StreamOptions
    private let container: SegmentContainer
    private let token: (Int) -> String?
    private var writer = HLSPlaylistWriter()
    /// Exact start time of the next MP3 track, in ticks of ``StreamTime``.
    private var ticks = 0
    /// Start time of the next track in fragmented MP4, in seconds: to far less than a sample.
    private var seconds = 0.0
    private var isFirst = true
    /// The previous track's album and its loudness, because consecutive tracks are usually from one album.
    private var album: (id: Int, loudness: AlbumLoudness?)?

    /// - Parameters:
    ///   - container: how the frames of all tracks are packed; fragmented MP4 if all tracks can be.
    ///   - token: Returns the signed token for a track's segment URLs, if any.
    init(
        library: LibraryStore, options: StreamOptions, container: SegmentContainer,
        token: @escaping (Int) -> String?
    ) {
        self.library = library
        self.options = options
        self.container = container
        self.token = token
    }

    /// The playlist's header.
    var head: String {
        HLSPlaylistWriter.head(
            targetDuration: Int(StreamingConstants.segmentSeconds), hasMaps: container == .fragmentedMP4)
    }

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
        switch (analysis.stream.format, container) {
        case (.mp3, .packedAudio):
            do throws(MPEGAudioError) {
                let index = try FrameIndex(decoding: analysis.stream.frameIndex)
                return lines(of: try part(found, analysis, analysis.stream, index), found, analysis)
            } catch {
                return HLSPlaylistWriter.comment("Track \(id) is omitted: \(error.message).")
            }
        case (_, .packedAudio):
            let converted = ConvertedStream(of: analysis.stream)
            guard var part = try? part(found, analysis, converted.stream, converted.index) else { break }
            part.quality = .high
            return lines(of: part, found, analysis)
        case (_, .fragmentedMP4):
            // Nil if the list has changed since its formats were read.
            guard let frames = try? FragmentedFrames.frames(of: analysis.stream, start: 0) else { break }
            return lines(of: part(analysis, frames), found, analysis)
        }
        return HLSPlaylistWriter.comment("Track \(id) is omitted: it is being analysed again.")
    }

    /// Returns the part of an MP3 stream that the options result in; the whole stream if it has not been measured.
    private mutating func part(
        _ found: AnalysedTrack, _ analysis: TrackAnalysis, _ stream: StreamDescription, _ index: FrameIndex
    ) throws(MPEGAudioError) -> Part {
        var album: AlbumLoudness?
        if options.target != nil, options.loudness == .album, let id = found.track.albumID {
            album = loudness(ofAlbum: id)
        }
        let wanted = try? StreamCut(
            options, stream: stream, profile: analysis.profile, frames: index, album: album)
        let cut = (wanted ?? .whole).withoutPadding(of: stream, index)
        let plan = try SegmentPlan(
            index: index, frames: cut.frames,
            targetDuration: StreamedTrack.segmentSeconds(analysis.stream.format))
        defer { ticks += plan.totalTicks }
        return Part(
            layout: SegmentLayout(plan), cut: cut, start: Int(StreamTime.mpegTimestamp(ticks)))
    }

    /// Returns the part of a stream in fragmented MP4 that the options result in, without frames that only contain encoder delay
    /// or padding; the whole stream if it has not been measured.
    private mutating func part(_ analysis: TrackAnalysis, _ frames: FragmentedFrames) -> Part {
        var cut =
            (try? StreamCut(
                options, stream: analysis.stream, profile: analysis.profile, frames: frames, album: nil))
            ?? .whole
        if cut.frames == nil, let played = frames.playedFrames {
            cut = StreamCut(frames: played, gain: cut.gain, fadeFrameCount: cut.fadeFrameCount)
        }
        let layout = SegmentLayout(frames, cut.frames)
        defer { seconds += layout.durationSeconds }
        return Part(layout: layout, cut: cut, start: Int((seconds * Double(frames.sampleRate)).rounded()))
    }

    private mutating func loudness(ofAlbum id: Int) -> AlbumLoudness? {
        if let album, album.id == id { return album.loudness }
        let loudness = try? library.albumLoudness(id: id)
        album = (id, loudness)
        return loudness
    }

    private mutating func lines(
        of part: Part, _ found: AnalysedTrack, _ analysis: TrackAnalysis
    ) -> String {
        let id = found.track.id
        let hash = analysis.audioHash.description
        let address = SegmentAddress(audioHash: hash, cut: part.cut, timestampBase: part.start)
        let token = token(id).map { "&token=\($0)" } ?? ""
        let query = address.query + part.quality.query + token
        let title = [found.track.tags.artist, found.track.tags.title].compactMap(\.self).joined(
            separator: " - ")
        let kind = part.layout.container.fileExtension
        let map = "../../tracks/\(id)/init.mp4?\(address.query)\(token)"
        var text = ""
        for segment in part.layout.segments {
            let isTrackStart = segment.index == 0
            text += writer.entry(
                HLSSegment(
                    uri: "../../tracks/\(id)/segments/\(segment.index).\(kind)?\(query)",
                    sampleCount: segment.sampleCount, sampleRate: segment.sampleRate,
                    isDiscontinuity: segment.isDiscontinuity || (isTrackStart && !isFirst),
                    title: isTrackStart ? title : "",
                    map: isTrackStart && container == .fragmentedMP4 ? map : nil))
        }
        isFirst = false
        return text
    }
}
