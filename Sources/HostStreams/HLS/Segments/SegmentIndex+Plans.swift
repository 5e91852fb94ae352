internal import AudioFrames
internal import Analyzer
internal import Foundation
internal import FragmentedMP4
internal import HTTPServer
internal import MPEGAudio
internal import MusicShared

extension SegmentIndex {
    /// The positions of MP3 segments.
    /// - Parameters:
    ///   - plan: the segments.
    ///   - first: first frame of the plan.
    ///   - prerolls: for each segment, the first frame that its decoder needs.
    init(of track: StreamedTrack, _ plan: SegmentPlan, first: Int, prerolls: [Int]) {
        let index = track.index
        let origin = index.startTicks(ofFrame: first)
        let stream = track.stream
        let segments = zip(plan.segments, prerolls).map { segment, preroll in
            let offset = index[segment.firstFrame].offset
            return Segment(
                index: segment.index, byteOffset: offset,
                byteLength: (segment.byteRanges.last?.upperBound ?? offset) - offset,
                firstFrame: segment.firstFrame, frameCount: segment.frameCount,
                startSample: StreamTime.samples(origin + segment.startTicks, at: stream.sampleRateHz),
                startSeconds: StreamTime.seconds(origin + segment.startTicks),
                durationSeconds: segment.durationSeconds,
                sampleCount: segment.sampleCount, prerollFrames: segment.firstFrame - preroll,
                prerollByteOffset: index[preroll].offset)
        }
        self.init(
            trackID: track.id, audioHash: track.hashText, format: .mp3,
            fileSizeBytes: track.file.byteCount,
            sampleRateHz: stream.sampleRateHz, channels: stream.channels,
            samplesPerFrame: stream.samplesPerFrame, frameCount: stream.frameCount,
            encoderDelaySamples: stream.encoderDelaySamples,
            encoderPaddingSamples: stream.encoderPaddingSamples,
            decodedSampleCount: stream.decodedSampleCount, sampleCount: stream.sampleCount, segments: segments
        )
    }

    /// The positions of the segments of a file that is streamed as fragmented MP4: in the file itself if its frames can be decoded
    /// without a container, otherwise in the MP4 file that the host makes of it, whose segments are those of the whole track.
    /// - Parameter cut: the frames; nil for all.
    init(of track: StreamedTrack, _ frames: FragmentedFrames, _ cut: Range<Int>?) {
        let made = frames.needsContainer ? track.fragmentedFile : nil
        let plan = made == nil ? frames.plan(of: cut) : frames.plan
        let planned = made == nil ? plan.segments : plan.segments.filter { cut?.overlaps($0.frames) ?? true }
        let segments = planned.enumerated().map { index, segment in
            let start = plan.leadSamples + segment.startSample
            let first = segment.byteRanges.first?.lowerBound ?? 0
            let place = made?.places[segment.index]
            let range = place?.range ?? first..<(segment.byteRanges.last?.upperBound ?? first)
            return Segment(
                index: index, byteOffset: range.lowerBound, byteLength: range.count,
                firstFrame: segment.frames.lowerBound, frameCount: segment.frames.count, startSample: start,
                startSeconds: Double(start) / Double(frames.sampleRate),
                durationSeconds: Double(segment.sampleCount) / Double(frames.sampleRate),
                sampleCount: segment.sampleCount, prerollFrames: place?.prerollFrames ?? 0,
                prerollByteOffset: place?.prerollOffset ?? range.lowerBound)
        }
        let stream = track.original
        self.init(
            trackID: track.id, audioHash: track.hashText, format: stream.format,
            fileSizeBytes: made?.byteCount ?? track.file.byteCount,
            sampleRateHz: stream.sampleRateHz, channels: stream.channels,
            samplesPerFrame: stream.samplesPerFrame, frameCount: stream.frameCount,
            encoderDelaySamples: stream.encoderDelaySamples,
            encoderPaddingSamples: stream.encoderPaddingSamples,
            decodedSampleCount: stream.decodedSampleCount,
            sampleCount: stream.sampleCount, segments: segments)
        let head = made == nil ? frames.streamHead : frames.initializationSegment(isWhole: false)
        streamHead = Data(head).base64EncodedString()
        codec = frames.entry.codec
        if made != nil {
            fileURL = Routes.fragmentedFile.replacingOccurrences(of: ":id", with: "\(track.id)")
        }
        converted = Converted(
            sampleRateHz: track.stream.sampleRateHz, samplesPerFrame: track.stream.samplesPerFrame,
            frameCount: track.stream.frameCount, leadSamples: track.stream.headTrimSamples,
            segmentFrames: StreamedTrack.convertedSegmentFrames(at: track.stream.sampleRateHz))
    }
}
