internal import AudioFrames
package import Analyzer
package import HTTPServer
package import LibraryStore
package import MPEGAudio
internal import MusicShared
internal import Synchronization
internal import Threads

/// A track with an open file whose analysis is current.
package final class StreamedTrack: Sendable {
    package let id: Int
    package let albumID: Int?
    package let path: RelativePath
    /// The audio hash, as used in URLs and ETags.
    package let hashText: String
    package let file: HTTPFile
    /// The file of the music folder that ``file`` was made from, if the track is a part of one; nil for a track with a file of its own.
    private let source: HTTPFile?
    /// The absolute path of ``file``.
    package let filePath: [UInt8]
    /// The stream of the file.
    package let original: StreamDescription
    /// The track as MP3: the file's own stream, or for another format the one that it is converted to.
    package let stream: StreamDescription
    package let profile: TrackProfile?
    /// The frames of ``stream``.
    package let index: FrameIndex
    /// The frames of a file that is streamed as fragmented MP4; nil for others.
    package let fragmented: FragmentedFrames?
    /// The segments of ``stream``, or the error if it cannot be segmented.
    private let plan: Result<SegmentPlan, MPEGAudioError>
    /// Offset of the first frame in the file.
    package let firstByte: Int
    /// Whether the file is not MP3, so that ``stream`` must be made from it.
    package var isConverted: Bool { original.format != .mp3 }

    /// Number of variants of a track for which results are kept.
    private static let variants = 16
    /// Cached playlists.
    let playlists = Memo<TrackPlaylist.Key, TrackPlaylist>(capacity: variants)
    private let partialPlans = Memo<Range<Int>, SegmentPlan>(capacity: variants)
    private let prerolls = Memo<Range<Int>?, [Int]>(capacity: variants)
    private let madeFile = Mutex<FragmentedFile?>(nil)
    private let readHeadroom = Mutex<GainHeadroom?>(nil)

    /// - Parameters:
    ///   - file: the track's file, or one that was made from a part of another file.
    ///   - filePath: its absolute path.
    ///   - source: the file that it was made from; nil if it is the track's own.
    /// - Throws: `MPEGAudioError` or `AudioFormatError` if the stored frame index is damaged.
    package init(
        _ track: AnalysedTrack, _ analysis: TrackAnalysis, file: HTTPFile, filePath: [UInt8],
        source: HTTPFile? = nil
    ) throws {
        id = track.track.id
        albumID = track.track.albumID
        path = track.track.path
        hashText = analysis.audioHash.description
        self.file = file
        self.filePath = filePath
        self.source = source
        original = analysis.stream
        profile = analysis.profile
        let index: FrameIndex
        if analysis.stream.format == .mp3 {
            stream = analysis.stream
            // The stored index is relative to the first frame, because the tags before it may change.
            index = try FrameIndex(decoding: analysis.stream.frameIndex).moved(by: track.track.payloadOffset)
            firstByte = index.count > 0 ? index[0].offset : 0
            fragmented = nil
        } else {
            let converted = ConvertedStream(of: analysis.stream)
            (stream, index) = (converted.stream, converted.index)
            firstByte = track.track.payloadOffset
            fragmented = try FragmentedFrames.frames(of: analysis.stream, start: firstByte)
        }
        self.index = index
        let seconds = Self.segmentSeconds(analysis.stream.format)
        plan = Result { () throws(MPEGAudioError) in
            try SegmentPlan(index: index, targetDuration: seconds)
        }
    }

    /// Whether the frames of the file are available as segments; if not, the host sends ``stream`` instead.
    package var hasOriginalSegments: Bool { !isConverted || fragmented != nil }

    /// Whether the frames of the file from any one on are a stream that players accept.
    package var canStartAnywhere: Bool { !isConverted || fragmented?.needsContainer == false }

    /// The stream whose frames playlists without a quality have, and cuts of them name.
    package var segmentedStream: StreamDescription { fragmented == nil ? stream : original }

    /// Returns the quality that is sent for a requested one: without segments of its own, a track has them as MP3 only.
    package func served(_ quality: StreamQuality) -> StreamQuality {
        quality == .original && !hasOriginalSegments ? .high : quality
    }

    /// Target duration of MP3 segments: of a converted stream, frames that cover a segment of the original fit into one.
    static func segmentSeconds(_ format: AudioFormat) -> Double {
        format == .mp3 ? StreamingConstants.segmentSeconds : StreamingConstants.convertedSegmentSeconds
    }

    /// Number of frames in a segment of a converted stream.
    static func convertedSegmentFrames(at sampleRate: Int) -> Int {
        Int(segmentSeconds(.flac) * Double(sampleRate)) / ConvertedStream.samplesPerFrame
    }

    /// Whether the file at the path is still the opened one, and unchanged.
    package var isCurrent: Bool { file.isUnchanged && source?.isUnchanged ?? true }

    /// Whether the track is a part of another file.
    package var isPart: Bool { source != nil }

    /// The name of ``file`` for clients that store it: of a part, that of the whole file and the track's number.
    package var fileName: String {
        guard let track = path.sheetTrack else { return path.name }
        let digits = track.number < 10 ? "0\(track.number)" : "\(track.number)"
        return "\(AudioFormat.stem(of: track.file.name)) \(digits)\(original.format.fileExtension)"
    }

    /// The ETag of the file's content: of a part, it is the same whenever the file is made again.
    package var fileTag: EntityTag { isPart ? EntityTag("\(hashText)-part") : file.entityTag }

    /// Returns the segments of a range of frames of ``stream``; nil means all frames.
    /// - Throws: `freeFormat` if the file cannot be segmented.
    package func plan(of frames: Range<Int>?) throws(MPEGAudioError) -> SegmentPlan {
        let whole = try plan.get()
        guard let frames, frames != 0..<index.count else { return whole }
        return try partialPlans.value(for: frames) { () throws(MPEGAudioError) in
            try SegmentPlan(
                index: index, frames: frames, targetDuration: Self.segmentSeconds(original.format))
        }
    }

    /// Returns the part of the file from the frame that plays at a time: the frame, what its decoder needs before it, and its offset;
    /// nil beyond the end. Files whose frames need a container or are not known can only be sent from the beginning (see
    /// ``canStartAnywhere``).
    package func part(fromTime seconds: Double) -> (frame: Int, prefix: [UInt8], offset: Int)? {
        if let fragmented {
            return fragmented.frame(atTime: seconds).map {
                (
                    $0, fragmented.streamHead,
                    fragmented.index.place(ofFrame: $0).ranges.first?.lowerBound ?? firstByte
                )
            }
        }
        return index.frame(atTime: seconds).map { ($0, [], index[$0].offset) }
    }

    /// The track as one fragmented MP4 file; nil for a file that is not streamed in fragments.
    var fragmentedFile: FragmentedFile? {
        guard let fragmented else { return nil }
        return madeFile.withLock { known in
            if let known { return known }
            let made = FragmentedFile(fragmented)
            known = made
            return made
        }
    }

    /// The range by which the gain of the frames can be changed, if it has already been read.
    package var knownHeadroom: GainHeadroom? { readHeadroom.withLock { $0 } }

    /// Returns the range by which the gain of the frames can be changed. The first call reads a few bytes of
    /// each frame from the file.
    package func headroom(at path: [UInt8]) throws -> GainHeadroom {
        if let knownHeadroom { return knownHeadroom }
        let read = try MappedFile(path: path).withBytes { bytes throws(MPEGAudioError) in
            try GainHeadroom(of: index, bytes: bytes)
        }
        readHeadroom.withLock { $0 = read }
        return read
    }

    /// Returns, for each segment of a range of frames (nil: all), the frame from which a decoder must start
    /// for the segment to be bit-exact. No frame of a converted stream needs an earlier one.
    ///
    /// The first call reads a few pages per segment from the file.
    package func prerollFrames(of frames: Range<Int>?, at path: [UInt8]) throws -> [Int] {
        let segments = try plan(of: frames).segments
        // One frame for the overlap of the filter bank.
        guard !isConverted else { return segments.map { max(0, $0.firstFrame - 1) } }
        return try prerolls.value(for: frames) {
            try MappedFile(path: path).withBytes { bytes throws(MPEGAudioError) in
                var found: [Int] = []
                for segment in segments {
                    found.append(
                        try BitReservoir.firstFrameToFeed(
                            toDecode: segment.firstFrame, index: index, bytes: bytes))
                }
                return found
            }
        }
    }
}
