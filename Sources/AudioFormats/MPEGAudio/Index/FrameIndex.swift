/// The byte offset and length of every audio frame in a file, excluding the Xing, Info or VBRI frame.
///
/// Compact in memory: constant bit rates are stored arithmetically (a few dozen bytes for any length), others with one to five
/// bits per frame. Every query works on that form, with a binary search over the runs and at most 63 additions.
///
/// Samples and times count from the first sample of the first frame in a **plain decoder's** output, that is without trimming
/// (see ``GaplessTimeline`` for the trimmed timeline).
public struct FrameIndex: Sendable, Hashable {
    /// Runs of frames with the same sample rate and number of channels, in order and without gaps.
    public let sections: [StreamSection]
    /// Whether any frame's header does not state its bit rate.
    public let isFreeFormat: Bool
    let runs: [FrameRun]

    init(sections: [StreamSection], runs: [FrameRun], isFreeFormat: Bool) {
        self.sections = sections
        self.runs = runs
        self.isFreeFormat = isFreeFormat
    }

    /// Returns the index of the same frames in a file where they are `distance` bytes later, or earlier if it is negative.
    ///
    /// An index with offsets relative to the start of the payload is valid for every file with this payload, whatever tags
    /// precede it; moving it by the payload's offset in a file makes it valid for that file.
    /// - Parameter distance: at least the negated offset of the first frame.
    public func moved(by distance: Int) -> FrameIndex {
        FrameIndex(
            sections: sections,
            runs: runs.map { run in
                FrameRun(
                    firstFrame: run.firstFrame, frameCount: run.frameCount, offset: run.offset + distance,
                    byteCount: run.byteCount, lengths: run.lengths)
            }, isFreeFormat: isFreeFormat)
    }

    /// Number of frames.
    public var count: Int { sections.last?.frames.upperBound ?? 0 }

    /// Exact duration of all frames (see ``StreamTime``).
    public var totalTicks: Int { sections.last?.endTicks ?? 0 }

    /// Total size of all frames in bytes, without anything between them.
    public var byteCount: Int { runs.reduce(0) { $0 + $1.byteCount } }

    /// Byte range from the start of the first frame to the end of the last; nil without frames.
    public var extent: Range<Int>? {
        guard let first = runs.first, let last = runs.last else { return nil }
        return first.offset..<last.endOffset
    }

    /// The longest section, the first if there are several; nil without frames. Sample counts of the whole stream are at its rate.
    public var principalSection: StreamSection? {
        sections.reduce(nil) { best, section in
            guard let best, best.endTicks - best.startTicks >= section.endTicks - section.startTicks else {
                return section
            }
            return best
        }
    }

    /// The extent of a frame. Traps outside `0..<count`, like an array.
    public subscript(frame: Int) -> FrameExtent {
        let run = runs[runIndex(ofFrame: frame)]
        let i = frame - run.firstFrame
        switch run.lengths {
        case .paced(let pacing):
            let start = pacing.offset(ofFrame: i)
            return FrameExtent(offset: run.offset + start, length: pacing.offset(ofFrame: i + 1) - start)
        case .packed(let packed):
            return FrameExtent(
                offset: run.offset + packed.offset(ofFrame: i), length: packed.length(ofFrame: i))
        }
    }

    /// Returns the section that contains a frame. Traps outside `0..<count`.
    public func section(ofFrame frame: Int) -> StreamSection {
        sections[sections.firstIndexAfter { $0.frames.lowerBound <= frame } - 1]
    }

    /// Returns the exact start time of a frame (see ``StreamTime``); `frame` may be `count` for the end.
    public func startTicks(ofFrame frame: Int) -> Int {
        guard frame < count else { return totalTicks }
        let section = section(ofFrame: frame)
        return section.startTicks + (frame - section.frames.lowerBound) * section.format.ticksPerFrame
    }

    /// Returns the first sample of a frame at the principal section's rate (rounded only if a section with another rate
    /// precedes it).
    public func startSample(ofFrame frame: Int) -> Int {
        guard let rate = principalSection?.format.sampleRate else { return 0 }
        return StreamTime.samples(startTicks(ofFrame: frame), at: rate)
    }

    /// Returns the frame at `sample`, counted at the principal section's rate; nil outside the stream.
    public func frame(atSample sample: Int) -> Int? {
        guard let rate = principalSection?.format.sampleRate, sample >= 0,
            sample <= totalTicks / (StreamTime.ticksPerSecond / rate)
        else { return nil }
        return frame(atTicks: sample * (StreamTime.ticksPerSecond / rate))
    }

    /// Returns the frame at `seconds`; nil outside the stream.
    public func frame(atTime seconds: Double) -> Int? {
        guard seconds >= 0, seconds <= StreamTime.seconds(totalTicks) else { return nil }
        return frame(atTicks: Int(seconds * Double(StreamTime.ticksPerSecond)))
    }

    /// Returns the frame at an exact time (see ``StreamTime``); nil outside the stream.
    public func frame(atTicks ticks: Int) -> Int? {
        guard ticks >= 0, ticks < totalTicks else { return nil }
        let section = sections[sections.firstIndexAfter { $0.startTicks <= ticks } - 1]
        return section.frames.lowerBound + (ticks - section.startTicks) / section.format.ticksPerFrame
    }

    /// Returns the byte ranges of a range of frames in order: a single range unless there is junk between them.
    public func byteRanges(of frames: Range<Int>) -> [Range<Int>] {
        let frames = frames.clamped(to: 0..<count)
        guard !frames.isEmpty else { return [] }
        var ranges: [Range<Int>] = []
        var i = runIndex(ofFrame: frames.lowerBound)
        while i < runs.count, runs[i].firstFrame < frames.upperBound {
            let run = runs[i]
            let part = frames.clamped(to: run.frames)
            let start = part.lowerBound == run.firstFrame ? run.offset : self[part.lowerBound].offset
            let end =
                part.upperBound == run.frames.upperBound ? run.endOffset : self[part.upperBound].offset
            if let last = ranges.last, last.upperBound == start {
                ranges[ranges.count - 1] = last.lowerBound..<end
            } else {
                ranges.append(start..<end)
            }
            i += 1
        }
        return ranges
    }

    /// Approximate memory use of the index in bytes, for measurements.
    public var memoryFootprint: Int {
        runs.reduce(sections.count * MemoryLayout<StreamSection>.stride) { sum, run in
            let own = MemoryLayout<FrameRun>.stride
            guard case .packed(let packed) = run.lengths else { return sum + own }
            return sum + own + packed.dictionary.count * 2 + packed.symbols.count + packed.checkpoints.count
                * 4
        }
    }

    private func runIndex(ofFrame frame: Int) -> Int {
        precondition(frame >= 0 && frame < count, "frame \(frame) is outside the index's 0..<\(count)")
        return runs.firstIndexAfter { $0.firstFrame <= frame } - 1
    }
}

extension FrameIndex: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }
    /// ``count``.
    public var endIndex: Int { count }
}

extension Array {
    /// Returns the number of leading elements that satisfy `isBefore`, which must hold for a prefix and no element after it.
    func firstIndexAfter(_ isBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
