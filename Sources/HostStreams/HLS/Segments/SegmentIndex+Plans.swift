internal import AudioFrames
internal import Analyzer
internal import FLACAudio
internal import Foundation
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

    /// The positions of the segments of a FLAC file.
    init(of track: StreamedTrack, _ flac: FLACFrames, _ plan: FrameSegmentPlan) {
        let stream = track.original
        let segments = plan.segments.map { segment in
            let start = plan.leadSamples + segment.startSample
            let offset = segment.byteRanges.first?.lowerBound ?? 0
            return Segment(
                index: segment.index, byteOffset: offset,
                byteLength: (segment.byteRanges.last?.upperBound ?? offset) - offset,
                firstFrame: segment.frames.lowerBound, frameCount: segment.frames.count, startSample: start,
                startSeconds: Double(start) / Double(flac.sampleRate),
                durationSeconds: Double(segment.sampleCount) / Double(flac.sampleRate),
                sampleCount: segment.sampleCount, prerollFrames: 0, prerollByteOffset: offset)
        }
        self.init(
            trackID: track.id, audioHash: track.hashText, format: .flac,
            fileSizeBytes: track.file.byteCount,
            sampleRateHz: stream.sampleRateHz, channels: stream.channels,
            samplesPerFrame: stream.samplesPerFrame, frameCount: stream.frameCount,
            encoderDelaySamples: 0, encoderPaddingSamples: 0, decodedSampleCount: stream.decodedSampleCount,
            sampleCount: stream.sampleCount, segments: segments)
        streamHead = Data(flac.info.streamHead).base64EncodedString()
        converted = Converted(
            sampleRateHz: track.stream.sampleRateHz, samplesPerFrame: track.stream.samplesPerFrame,
            frameCount: track.stream.frameCount, leadSamples: track.stream.headTrimSamples,
            segmentFrames: StreamedTrack.convertedSegmentFrames(at: track.stream.sampleRateHz))
    }
}
