/// Byte offset and length of every audio frame of a file; the Xing, Info or VBRI frame is not among them.
///
/// Compact in memory: constant bit rates are kept as arithmetic (a few dozen bytes for any length), others as one
/// to five bits a frame. Every query works on that form, with a binary search among runs and at most 63 additions.
///
/// Samples and times count from the first frame's first sample as a **plain decoder** plays the file, that is
/// without trimming (see ``GaplessTimeline`` for the other timeline).
public struct FrameIndex: Sendable, Hashable {
    /// Runs of frames of one sampling rate and number of channels, in order, without gaps between.
    public let sections: [StreamSection]
    /// Whether the header of some frame does not state its bit rate.
    public let isFreeFormat: Bool
    let runs: [FrameRun]

    init(sections: [StreamSection], runs: [FrameRun], isFreeFormat: Bool) {
        self.sections = sections
        self.runs = runs
        self.isFreeFormat = isFreeFormat
    }

    /// The same frames in a file where they lie `distance` bytes later, or earlier where it is negative.
    ///
    /// An index whose offsets count from the payload's start holds for every file with this payload, whatever tags come
    /// first; moved by the payload's offset in a file it is that file's.
    /// - Parameter distance: no less than the negative offset of the first frame.
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

    /// Exact length of all frames (see ``StreamTime``).
    public var totalTicks: Int { sections.last?.endTicks ?? 0 }

    /// Bytes of all frames together, without what lies between them.
    public var byteCount: Int { runs.reduce(0) { $0 + $1.byteCount } }

    /// From the first frame's first byte to the last one's end; nil without frames.
    public var extent: Range<Int>? {
        guard let first = runs.first, let last = runs.last else { return nil }
        return first.offset..<last.endOffset
    }

    /// The longest section, the first of several; nil without frames. Sample counts of the whole
    /// stream are given at its rate.
    public var principalSection: StreamSection? {
        sections.reduce(nil) { best, section in
            guard let best, best.endTicks - best.startTicks >= section.endTicks - section.startTicks else {
                return section
            }
            return best
        }
    }

    /// Where frame `frame` lies. Traps outside `0..<count`, as an array does.
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

    /// The section that holds frame `frame`. Traps outside `0..<count`.
    public func section(ofFrame frame: Int) -> StreamSection {
        sections[sections.firstIndexAfter { $0.frames.lowerBound <= frame } - 1]
    }

    /// Exact time at which frame `frame` begins (see ``StreamTime``); `frame` may be `count`, for the end.
    public func startTicks(ofFrame frame: Int) -> Int {
        guard frame < count else { return totalTicks }
        let section = section(ofFrame: frame)
        return section.startTicks + (frame - section.frames.lowerBound) * section.format.ticksPerFrame
    }

    /// First sample of frame `frame`, at the principal section's rate (rounded only where a section of another rate
    /// precedes it).
    public func startSample(ofFrame frame: Int) -> Int {
        guard let rate = principalSection?.format.sampleRate else { return 0 }
        return StreamTime.samples(startTicks(ofFrame: frame), at: rate)
    }

    /// The frame that sounds at `sample`, counted at the principal section's rate; nil outside the stream.
    public func frame(atSample sample: Int) -> Int? {
        guard let rate = principalSection?.format.sampleRate, sample >= 0,
            sample <= totalTicks / (StreamTime.ticksPerSecond / rate)
        else { return nil }
        return frame(atTicks: sample * (StreamTime.ticksPerSecond / rate))
    }

    /// The frame that sounds at `seconds`; nil outside the stream.
    public func frame(atTime seconds: Double) -> Int? {
        guard seconds >= 0, seconds <= StreamTime.seconds(totalTicks) else { return nil }
        return frame(atTicks: Int(seconds * Double(StreamTime.ticksPerSecond)))
    }

    /// The frame that sounds at an exact time (see ``StreamTime``); nil outside the stream.
    public func frame(atTicks ticks: Int) -> Int? {
        guard ticks >= 0, ticks < totalTicks else { return nil }
        let section = sections[sections.firstIndexAfter { $0.startTicks <= ticks } - 1]
        return section.frames.lowerBound + (ticks - section.startTicks) / section.format.ticksPerFrame
    }

    /// The bytes of a run of frames, in order: one range where no junk lies between them, else several.
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

    /// Bytes that the index takes in memory, about; for measurement.
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
    /// How many leading elements satisfy `isBefore`, which must hold for a prefix and no element after it.
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
