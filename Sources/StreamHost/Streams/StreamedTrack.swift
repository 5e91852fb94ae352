internal import Analyzer
internal import Companion
internal import HTTPServer
internal import MPEGAudio
internal import MusicShared
internal import Synchronization

/// A track whose file is open and is the one that was analysed.
final class StreamedTrack: Sendable {
    let id: Int
    let albumID: Int?
    let path: RelativePath
    /// Identity of the audio, as addresses and tags have it.
    let hashText: String
    let file: HTTPFile
    let stream: StreamDescription
    let profile: TrackProfile?
    let index: FrameIndex
    /// The segments of the whole track, or why there can be none.
    private let plan: Result<SegmentPlan, MPEGAudioError>

    /// The playlists that were asked for.
    let playlists = Memo<HLSPlaylists.Key, HLSPlaylists.Rendered>()
    /// The segments of the whole track that were asked for, as they are sent.
    let segments = Mutex<[Int: HTTPResponse]>([:])
    private let partialPlans = Memo<Range<Int>, SegmentPlan>()
    private let prerolls = Memo<Range<Int>?, [Int]>()
    private let readHeadroom = Mutex<GainHeadroom?>(nil)

    init(_ track: AnalysedTrack, _ analysis: TrackAnalysis, file: HTTPFile) throws(MPEGAudioError) {
        id = track.track.id
        albumID = track.track.albumID
        path = track.track.path
        hashText = analysis.audioHash.description
        self.file = file
        stream = analysis.stream
        profile = analysis.profile
        // The stored index counts from the first frame, since tags of any length may stand before it.
        index = try FrameIndex(decoding: analysis.stream.frameIndex).moved(by: track.track.payloadOffset)
        let index = index
        plan = Result { () throws(MPEGAudioError) in
            try SegmentPlan(index: index, targetDuration: StreamingConstants.segmentSeconds)
        }
    }

    /// Whether the file at the path is still the one that was opened.
    var isCurrent: Bool { file.isUnchanged }

    /// The segments of a run of frames; of all where none is given.
    /// - Throws: `freeFormat` where the file cannot be cut.
    func plan(of frames: Range<Int>?) throws(MPEGAudioError) -> SegmentPlan {
        let whole = try plan.get()
        guard let frames, frames != 0..<index.count else { return whole }
        return try partialPlans.value(for: frames) { () throws(MPEGAudioError) in
            try SegmentPlan(index: index, frames: frames, targetDuration: StreamingConstants.segmentSeconds)
        }
    }

    /// How far the gain of the track's frames can be changed, if that was looked at before.
    var knownHeadroom: GainHeadroom? { readHeadroom.withLock { $0 } }

    /// How far the gain of the track's frames can be changed. Read from the file at the first call: a few bytes of each frame.
    func headroom(at path: [UInt8]) throws -> GainHeadroom {
        if let knownHeadroom { return knownHeadroom }
        let read = try MappedFile(path: path).withBytes { bytes throws(MPEGAudioError) in
            try GainHeadroom(of: index, bytes: bytes)
        }
        readHeadroom.withLock { $0 = read }
        return read
    }

    /// For each segment of a run of frames, or of all, the frame from which a decoder must be fed so that the segment comes
    /// out bit for bit.
    ///
    /// Read from the file at the first call, which takes a few page reads a segment.
    func prerollFrames(of frames: Range<Int>?, at path: [UInt8]) throws -> [Int] {
        let segments = try plan(of: frames).segments
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
