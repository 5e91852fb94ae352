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
    /// The most seconds of missing frames that are replaced by silence.
    private static let longestGap = 10

    private let target: Double
    private let onBeginning: (Beginning) -> Void
    private var feed = FLACFeed()
    private var reading: ResourceReading
    private var information: StreamInfo?
    private var audioStart = 0
    private var facts = MediaFacts()
    /// Nil where the position is reached by reading.
    private var search: PositionSearch?
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
            let before = search?.jumps
            takeUnits()
            // The last frame is complete only now, and may have led elsewhere.
            if search?.jumps != before { continue }
            if let information, search?.isOver == false {
                // The estimate was beyond the start of the last frame.
                search?.reachedEnd()
                move(information)
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
            if target > PositionSearch.nearSeconds, let total = reading.total,
                let count = information.sampleCount
            {
                seek(information, count: count, total: total)
                return false
            }
        }
        let wanted = targetSample(information)
        if search?.isOver == false {
            let near = Int(PositionSearch.nearSeconds * Double(information.sampleRate))
            let place = PositionSearch.Place(offset: frame.offset, sample: frame.startSample)
            if search?.landed(at: place, near: max(near, frame.header.blockSize)) == true {
                move(information)
                return false
            }
        }
        isBegun = true
        outbox.append(.begin(soundFrom: StreamTime.ticks(ofSample: wanted, at: information.sampleRate)))
        return true
    }

    // MARK: - Seeking

    private func seek(_ information: StreamInfo, count: Int, total: Int) {
        search = PositionSearch(
            for: targetSample(information), from: .init(offset: audioStart, sample: 0),
            to: .init(offset: total, sample: count))
        move(information)
    }

    /// Continues reading where the search says.
    private func move(_ information: StreamInfo) {
        let origin = search?.origin ?? audioStart
        reading.move(to: origin)
        feed = FLACFeed(information, offset: origin)
    }
}
