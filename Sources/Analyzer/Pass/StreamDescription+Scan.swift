internal import MPEGAudio

extension StreamDescription {
    /// Describes a scanned stream.
    /// - Parameter lostFrames: frames that the decoder could make nothing of.
    init(_ stream: MPEGAudioStream, lostFrames: Int) {
        self.init(
            mpegVersion: Self.number(of: stream.format.version), sampleRateHz: stream.timeline.sampleRate,
            channels: stream.format.channelCount, bitRateMode: "\(stream.bitRateMode)",
            averageBitRate: stream.averageBitRate, frameCount: stream.index.count,
            samplesPerFrame: stream.format.samplesPerFrame,
            encoderDelaySamples: stream.timeline.encoderDelay,
            encoderPaddingSamples: stream.timeline.encoderPadding,
            decodedSampleCount: stream.timeline.decodedSampleCount, sampleCount: stream.timeline.sampleCount,
            durationSeconds: stream.timeline.durationSeconds,
            frameIndex: stream.index.moved(by: -stream.payload.lowerBound).encoded(),
            skippedBytes: Self.skippedBytes(in: stream), resyncCount: stream.diagnostics.resyncCount,
            remarks: Self.remarks(on: stream, lostFrames: lostFrames))
    }

    private static func number(of version: MPEGVersion) -> String {
        switch version {
        case .v1: "1"
        case .v2: "2"
        case .v2_5: "2.5"
        }
    }

    /// Bytes of the payload that are neither frame nor tag. What lies before and after it may differ from file to file.
    private static func skippedBytes(in stream: MPEGAudioStream) -> Int {
        let tags = stream.tags.filter { $0.placement == .interior }.reduce(0) { $0 + $1.range.count }
        return max(
            0, stream.payload.count - stream.index.byteCount - stream.diagnostics.infoFrameBytes - tags)
    }

    private static func remarks(on stream: MPEGAudioStream, lostFrames: Int) -> [String] {
        let diagnostics = stream.diagnostics
        var remarks: [String] = []
        if diagnostics.truncatedLastFrame { remarks.append("the last frame is cut off") }
        let skipped = skippedBytes(in: stream)
        if skipped > 0 { remarks.append("\(skipped) bytes belong to no frame and no tag") }
        if diagnostics.formatChangeCount > 0 {
            remarks.append("sampling rate or channels change \(diagnostics.formatChangeCount) times")
        }
        if diagnostics.isFreeFormat {
            remarks.append("free format: most players refuse it, it cannot be segmented")
        }
        if diagnostics.infoFrameCount > 1 { remarks.append("\(diagnostics.infoFrameCount) streams joined") }
        if let mismatch = diagnostics.frameCountMismatch {
            remarks.append("the Xing header claims \(mismatch.claimed) frames, \(mismatch.actual) are there")
        }
        if lostFrames > 0 { remarks.append("\(lostFrames) frames could not be decoded and are silent") }
        return remarks
    }
}
