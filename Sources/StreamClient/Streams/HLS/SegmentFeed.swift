internal import FLACAudio
internal import MPEGAudio

/// Extracts the frames of consecutive segments.
enum SegmentFeed: Sendable {
    /// Packed MP3 frames.
    case mpeg(FrameFeed)
    /// FLAC in fragmented MP4.
    case flac(FragmentFeed)

    /// A frame without its position.
    enum Frame {
        case mpeg(FrameFeed.Frame)
        case flac(FLACFeed.Frame, StreamInfo)

        /// Samples per channel.
        var sampleCount: Int {
            switch self {
            case .mpeg(let frame): frame.header.samplesPerFrame
            case .flac(let frame, _): frame.header.blockSize
            }
        }

        /// Samples per second.
        var sampleRate: Int {
            switch self {
            case .mpeg(let frame): frame.header.sampleRate
            case .flac(let frame, _): frame.format.sampleRate
            }
        }

        /// Whether a decoder may start with a frame of this number.
        func mayBegin(number: Int) -> Bool {
            if case .flac = self { return true }
            return number % Preroll.cycle == 0
        }

        /// The frame at a position.
        func placed(startTicks: Int, number: Int) -> MediaFrame {
            switch self {
            case .mpeg(let frame): return MediaFrame(frame, startTicks: startTicks, number: number)
            case .flac(let frame, let information):
                let start = StreamTime.sample(atTicks: max(0, startTicks), rate: frame.format.sampleRate)
                return MediaFrame(frame, startSample: start, number: number, information)
            }
        }
    }

    /// Number of frames so far.
    var frameCount: Int {
        switch self {
        case .mpeg(let feed): feed.frameCount
        case .flac(let feed): feed.frameCount
        }
    }

    /// Number of bytes that belong to no frame.
    var skippedBytes: Int {
        switch self {
        case .mpeg(let feed): feed.skippedBytes
        case .flac(let feed): feed.skippedBytes
        }
    }

    /// Appends the next bytes of a segment.
    mutating func append(_ bytes: [UInt8]) {
        switch self {
        case .mpeg(var feed):
            // Not two owners of the buffer, which would copy it.
            self = .mpeg(FrameFeed())
            feed.append(bytes)
            self = .mpeg(feed)
        case .flac(var feed):
            self = .mpeg(FrameFeed())
            feed.append(bytes)
            self = .flac(feed)
        }
    }

    /// Marks the end of the stream.
    mutating func finish() {
        switch self {
        case .mpeg(var feed):
            feed.finish()
            self = .mpeg(feed)
        case .flac(var feed):
            feed.finish()
            self = .flac(feed)
        }
    }

    /// Returns the next frame; nil if more bytes are needed.
    mutating func next() -> Frame? {
        switch self {
        case .mpeg(var feed):
            self = .mpeg(FrameFeed())
            defer { self = .mpeg(feed) }
            while let unit = feed.next() {
                if case .frame(let frame) = unit { return .mpeg(frame) }
            }
            return nil
        case .flac(var feed):
            self = .mpeg(FrameFeed())
            defer { self = .flac(feed) }
            return feed.next().map { .flac($0, feed.information) }
        }
    }
}
