internal import MP4Audio
internal import MPEGAudio
internal import MusicShared

/// Extracts MP3 or AAC frames from a station's bytes. Which of the two they are is found out from the bytes: the media types that
/// stations state are often wrong.
struct FrameSplitter {
    /// Number of bytes without a frame after which a stream is rejected.
    private static let searchLimit = 1 << 18

    private var mpeg: FrameFeed? = FrameFeed()
    private var adts: ADTSFeed? = ADTSFeed()

    /// Processes the next bytes.
    /// - Returns: the frames that are complete.
    /// - Throws: `unsupportedFormat` if a stream has neither MP3 nor AAC frames for long.
    mutating func take(_ bytes: [UInt8]) throws(RelayError) -> [StationFrame] {
        mpeg?.append(bytes)
        adts?.append(bytes)
        let found = mpegFrames()
        if !found.isEmpty {
            adts = nil
            return found
        }
        let others = adtsFrames()
        if !others.isEmpty { mpeg = nil }
        let isLost = [mpeg?.skippedBytes, adts?.skippedBytes].compactMap { $0 }.allSatisfy {
            $0 > Self.searchLimit
        }
        if isLost, others.isEmpty {
            throw RelayError(.unsupportedFormat, "the station sends neither MP3 nor AAC audio")
        }
        return others
    }

    private mutating func mpegFrames() -> [StationFrame] {
        var frames: [StationFrame] = []
        while let unit = mpeg?.next() {
            guard case .frame(let frame) = unit else { continue }
            let kind = StationFrame.Kind(
                format: .mp3, sampleRate: frame.header.sampleRate, channelCount: frame.header.channelCount,
                sampleCount: frame.header.samplesPerFrame, configuration: [])
            frames.append(StationFrame(kind: kind, bytes: frame.bytes, headerLength: 0))
        }
        return frames
    }

    private mutating func adtsFrames() -> [StationFrame] {
        var frames: [StationFrame] = []
        while let frame = adts?.next() {
            let header = frame.header
            let kind = StationFrame.Kind(
                format: .aac, sampleRate: header.sampleRate,
                channelCount: header.channelConfiguration == 7 ? 8 : max(1, header.channelConfiguration),
                sampleCount: header.sampleCount, configuration: header.configuration)
            frames.append(StationFrame(kind: kind, bytes: frame.bytes, headerLength: header.headerLength))
        }
        return frames
    }
}
