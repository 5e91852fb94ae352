internal import AudioFrames
internal import AudioChannels
internal import MusicShared
internal import PCMAudio

/// The audio of a WAV or AIFF file.
struct PCMFile: AudioStream {
    let stream: PCMAudioStream

    /// The code of the error for a WAV file that contains MP3 frames.
    static let wrapsMP3 = AnalyzerError.Code(rawValue: AudioFormatError.Code.wrapsMP3.rawValue)
    /// Samples per channel in a block.
    private static let blockSize = 4096
    /// Interval in bytes at which memory of the mapped file is released.
    private static let releaseInterval = 1 << 22

    init(_ bytes: RawSpan) throws(AnalyzerError) {
        do throws(AudioFormatError) {
            stream = try PCMAudioStream.scan(bytes)
        } catch {
            throw AnalyzerError(AnalyzerError.Code(rawValue: error.code.rawValue), error.message)
        }
        try SampleRates.require(stream.format.sampleRate)
    }

    var format: AudioFormat {
        switch stream.container {
        case .wav: .wav
        case .aiff: .aiff
        }
    }
    var payload: Range<Int> { stream.payload }
    var sampleRateHz: Int { stream.format.sampleRate }
    var channelWeights: [Double] { stream.format.layout.loudnessWeights }
    var sampleCount: Int { stream.sampleCount }
    var durationSeconds: Double { stream.durationSeconds }

    func decode(
        _ bytes: RawSpan, passed: (Int) -> Void, isCancelled: () -> Bool, _ body: @escaping (PCMBlock) -> Void
    ) throws(AnalyzerError) -> DecodedAudio {
        let format = stream.format
        let reader = SampleReader(format.coding, channelCount: format.channelCount)
        let blocks = ChannelBlocks(format.layout, body: body)
        let channels = (0..<format.channelCount).map { _ in
            UnsafeMutableBufferPointer<Float>.allocate(capacity: Self.blockSize)
        }
        defer { for channel in channels { channel.deallocate() } }
        var position = payload.lowerBound
        var released = position
        while position < payload.upperBound {
            if isCancelled() { throw AnalyzerError(.cancelled, "the analysis was cancelled") }
            let end = min(payload.upperBound, position + Self.blockSize * format.frameSize)
            reader.read(bytes.extracting(position..<end), into: channels)
            let count = (end - position) / format.frameSize
            blocks.take(channels.map { UnsafeBufferPointer(rebasing: $0[..<count]) })
            position = end
            if position - released > Self.releaseInterval {
                released = position
                passed(released)
            }
        }
        return DecodedAudio()
    }

    func description(_ decoded: DecodedAudio) -> StreamDescription {
        var remarks: [String] = []
        if let stated = stream.statedSampleCount, stated != stream.sampleCount {
            remarks.append("the header claims \(stated) samples, found \(stream.sampleCount)")
        }
        return StreamDescription(
            format: format, mpegVersion: nil, bitDepth: stream.format.coding.bitDepth,
            sampleRateHz: sampleRateHz, channels: stream.format.channelCount, bitRateMode: "lossless",
            averageBitRate: stream.format.bitRate, frameCount: sampleCount, samplesPerFrame: 1,
            encoderDelaySamples: 0, encoderPaddingSamples: 0, decodedSampleCount: sampleCount,
            sampleCount: sampleCount, durationSeconds: durationSeconds, frameIndex: stream.encodedIndex,
            skippedBytes: 0,
            resyncCount: 0, damagedFrameCount: 0, remarks: remarks)
    }

    func requirePlayable(_ bytes: RawSpan) throws(AnalyzerError) {
        if let stated = stream.statedSampleCount, stream.isTruncated {
            throw AnalyzerError(
                .truncated, "the file states \(stated) samples, but only \(sampleCount) are present")
        }
        guard payload.count * 2 >= bytes.byteCount - payload.lowerBound else {
            throw AnalyzerError(
                .noAudio, "only \(payload.count) of \(bytes.byteCount) bytes are samples of audio")
        }
    }
}
