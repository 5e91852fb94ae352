internal import Analyzer
internal import AudioFrames
internal import FLACAudio
internal import FragmentedMP4
internal import MP4Audio
internal import MPEGAudio
internal import MusicShared
internal import OggAudio
internal import Threads

/// The frames of a file that is streamed as fragmented MP4 (FLAC, AAC, ALAC, Opus), and the segments that are cut from them.
package struct FragmentedFrames: Sendable {
    /// The frames, by offset in the file.
    let index: any FrameSeries
    /// How the frames are encoded, for players that start with the first one.
    let entry: AudioSampleEntry
    /// The same for players that start with another frame, and must not drop its samples.
    private let entryOfCut: AudioSampleEntry
    /// The samples that gapless players play, of those that all frames give.
    let played: Range<Int>
    /// Number of frames that a decoder must have decoded before one for it to sound as in the whole stream.
    let prerollFrames: Int
    /// Number of frames before a position that the stream tells players to decode; 0 if it need not say so.
    private let statedPreroll: Int
    /// The bytes that a decoder needs before frames that follow each other without a container; empty where it needs one.
    let streamHead: [UInt8]
    /// The segments of the whole track.
    let plan: FrameSegmentPlan

    /// Whether a decoder accepts frames that follow each other without a container, after ``streamHead``.
    var needsContainer: Bool { streamHead.isEmpty }

    /// Samples at 48 kHz after which a decoder of Opus that starts within a stream gives the same as one from the beginning. The 80 ms of
    /// RFC 7845 §4.6 leave differences of 0.06, since a band's energy is predicted from that of the previous frame; each further frame
    /// halves them.
    private static let opusPreroll = 19_200
    /// The preroll of RFC 7845 §4.6, which a file of Opus must state ("Encapsulation of Opus in ISO Base Media File Format" §4.3.6.2).
    private static let opusStatedPreroll = 3840
    private static let variants = 16
    private let partialPlans = Memo<Range<Int>, FrameSegmentPlan>(capacity: variants)

    /// The formats whose frames can be sent in fragments, of files that have no more than one stream.
    static let formats: Set<AudioFormat> = [.flac, .aac, .alac, .opus]

    /// Whether the frames of an Opus file can be sent in fragments: those of several streams cannot, since their headers may differ.
    /// - Parameter frameIndex: the stored index of its packets, or the start of it.
    static func canSendOpus(frameIndex: [UInt8]) -> Bool {
        OggPacketIndex.linkCount(encoded: frameIndex) == 1
    }

    /// Returns the frames of a file; nil for the formats that are not streamed as they are.
    /// - Parameter start: offset of the first frame in the file.
    /// - Throws: if the stored index is damaged.
    static func frames(of stream: StreamDescription, start: Int) throws(AudioFormatError) -> FragmentedFrames?
    {
        switch stream.format {
        case .flac: try FragmentedFrames(flac: stream, start: start)
        case .aac, .alac: FragmentedFrames(try MP4AudioIndex(decoding: stream.frameIndex, start: start))
        case .opus: try FragmentedFrames(OggPacketIndex(decoding: stream.frameIndex, start: start))
        case .mp3, .vorbis, .wav, .aiff: nil
        }
    }

    private init(
        _ index: any FrameSeries, _ entry: AudioSampleEntry, played: Range<Int>, prerollFrames: Int,
        statedPreroll: Int = 0, entryOfCut: AudioSampleEntry? = nil, streamHead: [UInt8] = []
    ) {
        self.index = index
        self.entry = entry
        self.entryOfCut = entryOfCut ?? entry
        self.played = played
        self.prerollFrames = prerollFrames
        self.statedPreroll = statedPreroll
        self.streamHead = streamHead
        plan = index.segmentPlan(frames: nil, targetSamples: Self.targetSamples(entry))
    }

    private init(flac stream: StreamDescription, start: Int) throws(AudioFormatError) {
        let index = try FLACFrameIndex(decoding: stream.frameIndex, start: start)
        guard index.count > 0, (1..<1 << 20).contains(stream.sampleRateHz), 1...8 ~= stream.channels,
            let depth = stream.bitDepth, 4...32 ~= depth
        else { throw AudioFormatError(.malformedIndex, "the description of the FLAC stream is damaged") }
        let info = StreamInfo(
            index: index, sampleRate: stream.sampleRateHz, channelCount: stream.channels, bitDepth: depth)
        self.init(
            index,
            AudioSampleEntry(
                coding: .flac(streamInfo: info.bytes), sampleRate: info.sampleRate,
                channelCount: info.channelCount, bitDepth: info.bitDepth),
            played: 0..<index.sampleCount, prerollFrames: 0, streamHead: info.streamHead)
    }

    private init?(_ index: MP4AudioIndex) {
        guard index.units.count > 0 else { return nil }
        let coding: AudioSampleEntry.Coding
        switch index.codec {
        case .aac(let configuration):
            coding = .aac(configuration: configuration.bytes, codec: configuration.codecName)
        case .alac(let configuration):
            coding = .alac(configuration: configuration.bytes)
        }
        self.init(
            index.units,
            AudioSampleEntry(
                coding: coding, sampleRate: index.codec.sampleRate, channelCount: index.codec.channelCount,
                bitDepth: index.codec.bitDepth ?? 16),
            played: index.played, prerollFrames: index.codec.prerollUnits)
    }

    /// A file of several streams, which may have different headers, has no segments.
    private init?(_ index: OggPacketIndex) {
        guard index.links.count == 1, let link = index.links.first, let head = link.opusHead,
            index.packets.usualSamples > 0
        else { return nil }
        let frames = { (samples: Int) in
            (samples + index.packets.usualSamples - 1) / index.packets.usualSamples
        }
        let end = link.skippedSamples + link.sampleCount
        let entry = { (preSkip: Int) in
            AudioSampleEntry(
                coding: .opus(specificBox: head.opusSpecificBox(preSkip: preSkip)),
                sampleRate: OpusHead.sampleRate, channelCount: head.channelCount, bitDepth: 16)
        }
        self.init(
            index.packets, entry(head.preSkip),
            played: link.skippedSamples..<max(link.skippedSamples, min(end, index.packets.sampleCount)),
            prerollFrames: frames(Self.opusPreroll), statedPreroll: frames(Self.opusStatedPreroll),
            entryOfCut: entry(0))
    }

    /// Samples per second.
    var sampleRate: Int { entry.sampleRate }

    /// Returns the segments of a range of frames; nil means all frames.
    func plan(of frames: Range<Int>?) -> FrameSegmentPlan {
        guard let frames, frames != 0..<index.count else { return plan }
        return partialPlans.value(for: frames) {
            index.segmentPlan(frames: frames, targetSamples: Self.targetSamples(entry))
        }
    }

    private static func targetSamples(_ entry: AudioSampleEntry) -> Int {
        Int(StreamingConstants.segmentSeconds * Double(entry.sampleRate))
    }

    /// The frames that contain what gapless players play, and earlier ones that a decoder needs for it; nil for all.
    var playedFrames: Range<Int>? {
        guard !played.isEmpty, let first = index.frame(containing: played.lowerBound),
            let last = index.frame(containing: played.upperBound - 1)
        else { return nil }
        let frames = firstFrame(toDecode: first)..<last + 1
        return frames == 0..<index.count ? nil : frames
    }

    /// Returns what precedes frames in fragmented MP4.
    /// - Parameters:
    ///   - frames: the frames of the fragment.
    ///   - number: the fragment's number in its stream, from 1.
    ///   - startSample: time of the first frame, in samples.
    func fragmentHeader(of frames: Range<Int>, number: Int, startSample: Int) -> [UInt8] {
        FragmentHeader.bytes(
            number: number, startSample: startSample,
            samples: index.sizes(ofFrames: frames).map {
                FragmentHeader.Sample(byteCount: $0.byteCount, duration: $0.sampleCount)
            }, needsPreroll: statedPreroll > 0)
    }

    /// Returns the bytes of frames in the file: ranges in order.
    func byteRanges(ofFrames frames: Range<Int>) -> [Range<Int>] {
        index.segmentPlan(frames: frames, targetSamples: .max).segments.flatMap(\.byteRanges)
    }

    /// Returns the initialization segment.
    /// - Parameter isWhole: whether the whole track follows, so that players shall drop what precedes the music.
    func initializationSegment(isWhole: Bool) -> [UInt8] {
        InitializationSegment.bytes(
            isWhole ? entry : entryOfCut, skippedSamples: isWhole ? played.lowerBound : 0,
            prerollFrames: statedPreroll)
    }
}

extension FragmentedFrames: TimedFrames {
    var count: Int { index.count }

    func frame(atTime seconds: Double) -> Int? {
        // A time beyond what an Int holds is outside the stream, too.
        guard seconds >= 0, seconds * Double(sampleRate) <= Double(index.sampleCount) else { return nil }
        return index.frame(containing: Int(seconds * Double(sampleRate)))
    }

    func firstFrame(toDecode frame: Int) -> Int { max(0, frame - prerollFrames) }

    func startSeconds(ofFrame frame: Int) -> Double {
        let sample = frame < index.count ? index.place(ofFrame: frame).startSample : index.sampleCount
        return Double(sample) / Double(sampleRate)
    }
}
