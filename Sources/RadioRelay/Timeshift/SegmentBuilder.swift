/// Collects frames into segments, and dates them: by the clock where a connection starts, and from there on by their durations.
struct SegmentBuilder {
    private let wantedSeconds: Double
    /// Frames of the segment that is not complete yet.
    private(set) var frames: [StationFrame] = []
    private var isDiscontinuity = true
    private var finishedCount = 0
    /// The time from which samples are counted, and their number since then.
    private var base = 0.0
    private var rate = 1
    private var sampleCount = 0
    private var start = 0.0

    init(wantedSeconds: Double) { self.wantedSeconds = wantedSeconds }

    /// Time of the next frame in milliseconds since 1970.
    var milliseconds: Double { base + Double(sampleCount) * 1000 / Double(rate) }

    /// Starts a connection. Its audio is not dated before the audio that has arrived.
    /// - Returns: the segment that was not complete yet.
    mutating func connect(atMilliseconds now: Double) -> StationSegment? {
        let rest = finish()
        base = max(now, milliseconds)
        sampleCount = 0
        isDiscontinuity = true
        return rest
    }

    /// Adds a frame.
    /// - Returns: the segments that are complete.
    mutating func add(_ frame: StationFrame) -> [StationSegment] {
        var finished: [StationSegment] = []
        if let last = frames.last, last.kind != frame.kind {
            if let segment = finish() { finished.append(segment) }
            isDiscontinuity = true
        }
        if frames.isEmpty { start = milliseconds }
        if frame.kind.sampleRate != rate {
            base = milliseconds
            sampleCount = 0
            rate = frame.kind.sampleRate
        }
        frames.append(frame)
        sampleCount += frame.kind.sampleCount
        if Double(frames.count) * frame.seconds >= targetSeconds, let segment = finish() {
            finished.append(segment)
        }
        return finished
    }

    /// The first segments of a relay are short.
    private var targetSeconds: Double { min(wantedSeconds, Double(1 << min(finishedCount / 2, 8))) }

    /// Returns the frames collected so far as a segment.
    private mutating func finish() -> StationSegment? {
        guard let kind = frames.first?.kind else { return nil }
        defer {
            frames = []
            isDiscontinuity = false
            finishedCount += 1
        }
        return StationSegment(
            kind: kind, startMilliseconds: start, frames: frames, isDiscontinuity: isDiscontinuity)
    }
}
