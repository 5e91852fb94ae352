internal import AudioFrames
internal import MP4Audio
internal import MusicShared

extension StreamDescription {
    /// Describes a scanned stream.
    init(_ stream: MP4AudioStream, _ format: AudioFormat, _ decoded: DecodedAudio) {
        let (codec, units, played) = (stream.index.codec, stream.index.units, stream.index.played)
        self.init(
            format: format, mpegVersion: nil, bitDepth: codec.bitDepth, sampleRateHz: codec.sampleRate,
            channels: codec.channelCount, bitRateMode: format.isLossless ? "lossless" : "variable",
            averageBitRate: stream.averageBitRate, frameCount: units.count,
            samplesPerFrame: units.usualSamples,
            encoderDelaySamples: played.lowerBound,
            encoderPaddingSamples: units.sampleCount - played.upperBound,
            decodedSampleCount: units.sampleCount, sampleCount: stream.sampleCount,
            durationSeconds: stream.durationSeconds, frameIndex: stream.index.encoded(), skippedBytes: 0,
            resyncCount: 0, damagedFrameCount: decoded.damagedFrames,
            remarks: Self.remarks(on: stream, decoded))
    }

    private static func remarks(on stream: MP4AudioStream, _ decoded: DecodedAudio) -> [String] {
        let diagnostics = stream.diagnostics
        var remarks: [String] = []
        if diagnostics.missingUnits > 0 {
            remarks.append("the file ends before its audio: \(diagnostics.missingUnits) frames are missing")
        } else if diagnostics.missingSamples > 0 {
            remarks.append("the file states \(diagnostics.missingSamples) samples more than it has")
        }
        if diagnostics.emptyUnits > 0 { remarks.append("\(diagnostics.emptyUnits) frames are empty") }
        if diagnostics.hasOverlappingUnits { remarks.append("frames share bytes: the tables are damaged") }
        if diagnostics.otherAudioTracks > 0 {
            remarks.append(
                diagnostics.otherAudioTracks == 1
                    ? "another audio track is ignored"
                    : "\(diagnostics.otherAudioTracks) other audio tracks are ignored")
        }
        if decoded.damagedFrames > 0 {
            remarks.append(
                decoded.damagedFrames == 1
                    ? "1 frame is damaged and was measured as silence"
                    : "\(decoded.damagedFrames) frames are damaged and were measured as silence")
        }
        return remarks
    }
}
