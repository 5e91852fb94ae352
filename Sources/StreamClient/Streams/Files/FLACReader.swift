internal import FLACAudio
internal import MPEGAudio
internal import MusicShared

/// Reads the frames of a FLAC file as its bytes arrive. Frames state their position, so a seek is exact wherever it lands.
final class FLACReader: MediaReader {
    /// The beginning of a file: its format, its length and where its frames start.
    struct Beginning: Sendable {
        let information: StreamInfo
        /// Offset of the first frame.
        let audioStart: Int
        /// Size of the file in bytes; nil if unknown.
        let total: Int?
        let facts: MediaFacts
    }

    /// Number of frames per piece.
    private static let batch = 8
    /// Number of bytes without a frame after which the data is rejected.
    private static let skipLimit = 1 << 22
    /// Seconds before a position that are rather read than sought again.
    private static let nearSeconds = 3.0
    /// The most seconds of missing frames that are replaced by silence.
    private static let longestGap = 10
    /// Number of attempts to come near a position.
    private static let mostJumps = 12
    /// Bytes before an estimated offset that are read, too.
    private static let margin = 1 << 15

    private let target: Double
    private let onBeginning: (Beginning) -> Void
    private var feed = FLACFeed()
    private var reading: ResourceReading
    private var information: StreamInfo?
    private var audioStart = 0
    private var facts = MediaFacts()
    /// Offsets and samples between which the position lies, while it is sought.
    private var search: (low: (offset: Int, sample: Int), high: (offset: Int, sample: Int))?
    /// Where reading started last.
    private var origin = 0
    private var jumps = 0
    private var isBegun = false
    private var number = 0
    /// The sample after the last frame; nil before the first.
    private var nextSample: Int?
    private var outbox: [MediaPiece] = []
    private var isOver = false

    /// - Parameters:
    ///   - run: an already open read from the start of the file, if any.
    ///   - known: the result of an earlier reader.
    ///   - onBeginning: receives the result of this reader.
    init(
        resource: any ByteResource, from seconds: Double, opened run: ByteRun? = nil,
        known: Beginning? = nil, onBeginning: @escaping (Beginning) -> Void = { _ in }
    ) {
        self.onBeginning = onBeginning
        reading = ResourceReading(resource, opened: run, total: known?.total)
        target = max(0, seconds)
        guard run == nil, target > 0, let known, let total = known.total,
            let count = known.information.sampleCount
        else { return }
        information = known.information
        audioStart = known.audioStart
        facts = known.facts
        outbox.append(.facts(facts))
        seek(known.information, count: count, total: total)
    }

    func next() async throws(PlaybackError) -> MediaPiece? {
        while true {
            takeUnits()
            if !outbox.isEmpty { return outbox.removeFirst() }
            if isOver { return nil }
            if feed.skippedBytes > Self.skipLimit { throw Self.unreadable }
            if let piece = try await reading.next() {
                feed.append(piece)
                continue
            }
            feed.finish()
            let before = jumps
            takeUnits()
            // The last frame is complete only now, and may have led elsewhere.
            if jumps != before { continue }
            if let information, search != nil {
                // The estimate was beyond the start of the last frame.
                search?.high.offset = origin
                jump(information)
                continue
            }
            guard feed.frameCount > 0 || isBegun else { throw Self.unreadable }
            outbox.append(.end(tailTrim: 0))
            isOver = true
        }
    }

    private static var unreadable: PlaybackError {
        PlaybackError(.unsupported, "the FLAC file has no frames")
    }

    // MARK: - Frames

    private func takeUnits() {
        var frames: [MediaFrame] = []
        while frames.count < Self.batch, let unit = feed.next() {
            switch unit {
            case .information(let found): information = information ?? found
            case .comments(let bytes): facts.replayGain = ReplayGainValues(vorbisComments: bytes)
            case .frame(let frame):
                guard let information else { continue }
                if !isBegun, !begin(frame, information) { return }
                let start = frame.startSample
                if start + frame.header.blockSize <= targetSample(information) { continue }
                if let lost = lost(before: frame, information) { frames.append(lost) }
                frames.append(MediaFrame(frame, startSample: start, number: number, information))
                number += 1
                nextSample = start + frame.header.blockSize
            }
        }
        if !frames.isEmpty { outbox.append(.frames(frames)) }
    }

    /// Returns a frame of silence for frames that are missing before another, so that what follows is heard at its time.
    private func lost(before frame: FLACFeed.Frame, _ information: StreamInfo) -> MediaFrame? {
        guard let nextSample, frame.startSample > nextSample,
            frame.startSample - nextSample < Self.longestGap * frame.format.sampleRate
        else { return nil }
        defer { number += 1 }
        return MediaFrame(
            silentFrom: nextSample, to: frame.startSample, frame.format, number: number, information)
    }

    private func targetSample(_ information: StreamInfo) -> Int {
        Int((target * Double(information.sampleRate)).rounded())
    }

    /// Processes a frame before the first audible one.
    /// - Returns: false if reading continues at another offset.
    private func begin(_ frame: FLACFeed.Frame, _ information: StreamInfo) -> Bool {
        if let start = feed.audioStart {
            audioStart = start
            if let count = information.sampleCount, information.sampleRate > 0 {
                facts.durationSeconds = Double(count) / Double(information.sampleRate)
            }
            onBeginning(
                Beginning(
                    information: information, audioStart: audioStart, total: reading.total, facts: facts))
            outbox.append(.facts(facts))
            if target > Self.nearSeconds, let total = reading.total, let count = information.sampleCount {
                seek(information, count: count, total: total)
                return false
            }
        }
        let wanted = targetSample(information)
        if search != nil {
            let near = Int(Self.nearSeconds * Double(information.sampleRate))
            if frame.startSample > wanted {
                search?.high = (origin, frame.startSample)
                jump(information)
                return false
            }
            if frame.startSample + max(near, frame.header.blockSize) < wanted {
                search?.low = (frame.offset, frame.startSample)
                jump(information)
                return false
            }
            search = nil
        }
        isBegun = true
        outbox.append(.begin(soundFrom: StreamTime.ticks(ofSample: wanted, at: information.sampleRate)))
        return true
    }

    // MARK: - Seeking

    private func seek(_ information: StreamInfo, count: Int, total: Int) {
        search = ((audioStart, 0), (total, count))
        jump(information)
    }

    /// Continues reading near the target: by interpolation between the places before and after it that are known, or from the
    /// place before it once that is close.
    private func jump(_ information: StreamInfo) {
        guard let search else { return }
        jumps += 1
        let span = Double(search.high.offset - search.low.offset)
        let samples = Double(max(1, search.high.sample - search.low.sample))
        let share = Double(targetSample(information) - search.low.sample) / samples
        let estimate = search.low.offset + Int(span * min(1, max(0, share))) - Self.margin
        if estimate > search.low.offset + Self.margin, jumps < Self.mostJumps {
            origin = estimate
        } else {
            origin = search.low.offset
            self.search = nil
        }
        reading.move(to: origin)
        feed = FLACFeed(information, offset: origin)
    }
}
