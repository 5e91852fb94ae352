internal import MPEGAudio
internal import MusicShared

extension StreamDescription {
    /// Describes a scanned stream.
    /// - Parameter damagedFrames: number of frames that were measured as silence.
    init(_ stream: MPEGAudioStream, damagedFrames: Int) {
        self.init(
            format: .mp3, mpegVersion: Self.number(of: stream.format.version),
            sampleRateHz: stream.timeline.sampleRate,
            channels: stream.format.channelCount, bitRateMode: "\(stream.bitRateMode)",
            averageBitRate: stream.averageBitRate, frameCount: stream.index.count,
            samplesPerFrame: stream.format.samplesPerFrame,
            encoderDelaySamples: stream.timeline.encoderDelay,
            encoderPaddingSamples: stream.timeline.encoderPadding,
            decodedSampleCount: stream.timeline.decodedSampleCount, sampleCount: stream.timeline.sampleCount,
            durationSeconds: stream.timeline.durationSeconds,
            frameIndex: stream.index.moved(by: -stream.payload.lowerBound).encoded(),
            skippedBytes: Self.skippedBytes(in: stream), resyncCount: stream.diagnostics.resyncCount,
            damagedFrameCount: damagedFrames,
            remarks: Self.remarks(on: stream, damagedFrames: damagedFrames))
    }

    private static func number(of version: MPEGVersion) -> String {
        switch version {
        case .v1: "1"
        case .v2: "2"
        case .v2_5: "2.5"
        }
    }

    /// Returns the bytes of the payload that belong to no frame or tag. Data before and after it may differ between files.
    private static func skippedBytes(in stream: MPEGAudioStream) -> Int {
        let tags = stream.tags.filter { $0.placement == .interior }.reduce(0) { $0 + $1.range.count }
        return max(
            0, stream.payload.count - stream.index.byteCount - stream.diagnostics.infoFrameBytes - tags)
    }

    private static func remarks(on stream: MPEGAudioStream, damagedFrames: Int) -> [String] {
        let diagnostics = stream.diagnostics
        var remarks: [String] = []
        if diagnostics.truncatedLastFrame { remarks.append("the last frame is cut off") }
        let skipped = skippedBytes(in: stream)
        if skipped > 0 { remarks.append("\(skipped) bytes belong to no frame or tag") }
        if diagnostics.formatChangeCount > 0 {
            remarks.append("the sample rate or channel count changes \(diagnostics.formatChangeCount) times")
        }
        if diagnostics.isFreeFormat {
            remarks.append("free format: most players reject it, and it cannot be segmented")
        }
        if diagnostics.infoFrameCount > 1 { remarks.append("\(diagnostics.infoFrameCount) streams joined") }
        if let mismatch = diagnostics.frameCountMismatch {
            remarks.append("the Xing header claims \(mismatch.claimed) frames, found \(mismatch.actual)")
        }
        if damagedFrames > 0 {
            remarks.append(
                damagedFrames == 1
                    ? "1 frame is damaged and was measured as silence"
                    : "\(damagedFrames) frames are damaged and were measured as silence")
        }
        return remarks
    }
}
