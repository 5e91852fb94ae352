internal import AudioFrames
internal import FLACAudio
internal import MusicShared

extension StreamDescription {
    /// Describes a scanned stream.
    init(_ stream: FLACAudioStream, _ decoded: DecodedAudio) {
        self.init(
            format: .flac, mpegVersion: nil, bitDepth: stream.format.bitDepth,
            sampleRateHz: stream.format.sampleRate, channels: stream.format.channelCount,
            bitRateMode: "lossless", averageBitRate: stream.averageBitRate, frameCount: stream.index.count,
            samplesPerFrame: stream.index.usualSamples, encoderDelaySamples: 0, encoderPaddingSamples: 0,
            decodedSampleCount: stream.sampleCount, sampleCount: stream.sampleCount,
            durationSeconds: stream.durationSeconds, frameIndex: stream.index.encoded(),
            skippedBytes: stream.diagnostics.skippedBytes, resyncCount: stream.diagnostics.resyncCount,
            damagedFrameCount: decoded.damagedFrames, remarks: Self.remarks(on: stream, decoded))
    }

    private static func remarks(on stream: FLACAudioStream, _ decoded: DecodedAudio) -> [String] {
        let diagnostics = stream.diagnostics
        var remarks: [String] = []
        if diagnostics.truncatedLastFrame { remarks.append("the last frame is cut off") }
        if diagnostics.skippedBytes > 0 {
            remarks.append("\(diagnostics.skippedBytes) bytes belong to no frame")
        }
        if diagnostics.jumpCount > 0 {
            remarks.append("the numbers of the frames jump \(diagnostics.jumpCount) times")
        }
        if diagnostics.hasWrongMetadataSize {
            remarks.append("the sizes of the metadata blocks do not lead to the audio")
        }
        if diagnostics.hasLeadingID3v2 { remarks.append("an ID3v2 tag precedes the FLAC stream") }
        remarks += claims(of: stream)
        if decoded.damagedFrames > 0 {
            remarks.append(
                decoded.damagedFrames == 1
                    ? "1 frame is damaged and was measured as silence"
                    : "\(decoded.damagedFrames) frames are damaged and were measured as silence")
        }
        // A different length has a different MD5.
        if decoded.hasWrongChecksum, stream.info.sampleCount.map({ $0 == stream.sampleCount }) ?? true {
            remarks.append("the samples do not match the MD5 in STREAMINFO")
        }
        return remarks
    }

    /// The claims of STREAMINFO that the frames contradict.
    private static func claims(of stream: FLACAudioStream) -> [String] {
        var remarks: [String] = []
        if let claimed = stream.info.sampleCount, claimed != stream.sampleCount {
            remarks.append("STREAMINFO claims \(claimed) samples, found \(stream.sampleCount)")
        }
        if stream.info.sampleRate != stream.format.sampleRate
            || stream.info.channelCount != stream.format.channelCount
            || stream.info.bitDepth != stream.format.bitDepth
        {
            remarks.append(
                "STREAMINFO claims another sample rate, channel count or bit depth than the frames")
        }
        return remarks
    }
}
