internal import Analyzer
internal import Companion
internal import HTTPServer
internal import MPEGAudio
internal import MusicShared
internal import Synchronization

/// A track whose file is open and is the one that was analysed.
final class StreamedTrack: Sendable {
    let id: Int
    let path: RelativePath
    /// Identity of the audio, as addresses and tags have it.
    let hashText: String
    let file: HTTPFile
    let stream: StreamDescription
    let profile: TrackProfile?
    let index: FrameIndex
    /// The cuts, or why there can be none.
    let plan: Result<SegmentPlan, MPEGAudioError>

    /// The playlists that were asked for.
    let playlists = Mutex<[HLSPlaylists.Form: HLSPlaylists.Rendered]>([:])
    /// The segments that were asked for, as they are sent.
    let segments = Mutex<[Int: HTTPResponse]>([:])
    private let prerollStarts = Mutex<[Int]?>(nil)

    init(_ track: AnalysedTrack, _ analysis: TrackAnalysis, file: HTTPFile) throws(MPEGAudioError) {
        id = track.track.id
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

    /// For each segment the frame from which a decoder must be fed so that the segment comes out bit for bit.
    ///
    /// Read from the file at the first call, which takes a few page reads a segment.
    func prerollFrames(of plan: SegmentPlan, at path: [UInt8]) throws -> [Int] {
        if let known = prerollStarts.withLock({ $0 }) { return known }
        let mapped = try MappedFile(path: path)
        let found = try mapped.withBytes { bytes throws(MPEGAudioError) in
            var found: [Int] = []
            for segment in plan.segments {
                found.append(
                    try BitReservoir.firstFrameToFeed(
                        toDecode: segment.firstFrame, index: index, bytes: bytes))
            }
            return found
        }
        prerollStarts.withLock { $0 = found }
        return found
    }
}
