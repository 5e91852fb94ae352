/// Builds a ``FrameIndex`` from frames given one after the other, without ever storing a list of them.
///
/// It follows the longest run that can be explained by constant-rate padding: each frame narrows the interval of phases that
/// fit all lengths so far. When the interval becomes empty, a long run is stored as a ``FramePacing`` and a short one is added
/// to the packed lengths.
struct FrameIndexBuilder {
    /// Shorter runs are smaller in packed form.
    private static let shortestPacedRun = 160
    /// Packed runs are closed at this length, so that checkpoints fit into 32 bits.
    private static let longestPackedRun = 1 << 17

    private(set) var frameCount = 0
    private var sections: [StreamSection] = []
    private var runs: [FrameRun] = []
    private var isFreeFormat = false

    // The section being built.
    private var format: StreamFormat?
    private var sectionStart = 0
    private var sectionTicks = 0
    /// Whole bytes of an unpadded frame and the remaining fraction, by the header's bit-rate index.
    private var bases = InlineArray<16, Int>(repeating: 0)
    private var fractions = InlineArray<16, Int>(repeating: 0)

    // Frames added to the packed lengths, not yet closed.
    private var packedOffset = 0
    private var packedEnd = 0
    private var symbols: [UInt8] = []
    private var dictionary: [UInt16] = []

    // The current paced run: `i` frames starting at `pacedOffset`.
    private var pacedOffset = 0
    private var pacedEnd = 0
    private var pacing = FramePacing(base: 0, numerator: 0, denominator: 1, phase: 0)
    private var i = 0
    private var lowestPhase = 0
    private var phaseLimit = 0
    private var extraBytes = 0

    /// Starts a section: the following frames have this format.
    mutating func beginSection(_ format: StreamFormat) {
        closeSection()
        self.format = format
        sectionStart = frameCount
        for index in 1..<15 {
            let kilobits = BitRateTable.kilobits(version: format.version, layer: format.layer, index: index)
            let product = format.samplesPerFrame / 8 * kilobits * 1000
            bases[index] = product / format.sampleRate
            fractions[index] = product % format.sampleRate
        }
    }

    /// Adds a frame of the current section.
    ///
    /// - Parameter bitRateIndex: the header's field, 1…14, or 0 for free format.
    mutating func append(offset: Int, length: Int, bitRateIndex: Int) {
        guard let format else { return }
        frameCount += 1
        var base = length
        var numerator = 0
        var denominator = 1
        if bitRateIndex > 0 {
            base = bases[bitRateIndex]
            numerator = fractions[bitRateIndex]
            denominator = format.sampleRate
        } else {
            isFreeFormat = true
        }
        if i > 0, offset == pacedEnd, base == pacing.base, numerator == pacing.numerator,
            extend(by: length - base)
        {
            pacedEnd += length
            return
        }
        closePaced()
        pacing = FramePacing(base: base, numerator: numerator, denominator: denominator, phase: 0)
        pacedOffset = offset
        pacedEnd = offset + length
        lowestPhase = 0
        phaseLimit = denominator
        extraBytes = 0
        _ = extend(by: length - base)
    }

    /// Extends the paced run by a frame with `padding` extra bytes if some phase explains it.
    private mutating func extend(by padding: Int) -> Bool {
        // Frame i + 1 starts with as many extra bytes as seen so far: E ≤ (phase + (i + 1) n) / d < E + 1.
        let extra = extraBytes + padding
        let least = extra * pacing.denominator - (i + 1) * pacing.numerator
        let lowest = max(lowestPhase, least)
        let limit = min(phaseLimit, least + pacing.denominator)
        if lowest >= limit, i > 0 { return false }
        if lowest >= limit {
            // A single frame that padding arithmetic cannot explain (padded at a rate that needs no padding): its length alone
            // is the pace.
            pacing = FramePacing(base: pacing.base + padding, numerator: 0, denominator: 1, phase: 0)
            phaseLimit = 1
            i = 1
            return true
        }
        lowestPhase = lowest
        phaseLimit = limit
        extraBytes = extra
        i += 1
        return true
    }

    private mutating func closePaced() {
        guard i > 0 else { return }
        pacing.phase = lowestPhase
        if i >= Self.shortestPacedRun {
            closePacked()
            runs.append(
                FrameRun(
                    firstFrame: nextRunFrame, frameCount: i, offset: pacedOffset,
                    byteCount: pacedEnd - pacedOffset, lengths: .paced(pacing)))
        } else {
            if symbols.isEmpty || pacedOffset != packedEnd || symbols.count >= Self.longestPackedRun {
                closePacked()
                packedOffset = pacedOffset
                packedEnd = pacedOffset
            }
            var before = 0
            for frame in 1...i {
                let after = pacing.offset(ofFrame: frame)
                pack(after - before)
                before = after
            }
        }
        i = 0
    }

    private mutating func pack(_ length: Int) {
        let entry = UInt16(length)
        var symbol = dictionary.firstIndex(of: entry)
        if symbol == nil {
            if dictionary.count == 1 << PackedLengths.maximumWidth {
                let end = packedEnd
                closePacked()
                packedOffset = end
                packedEnd = end
            }
            dictionary.append(entry)
            symbol = dictionary.count - 1
        }
        symbols.append(UInt8(symbol ?? 0))
        packedEnd += length
    }

    private mutating func closePacked() {
        guard !symbols.isEmpty else { return }
        runs.append(
            FrameRun(
                firstFrame: nextRunFrame, frameCount: symbols.count, offset: packedOffset,
                byteCount: packedEnd - packedOffset,
                lengths: .packed(PackedLengths(dictionary: dictionary, symbols: symbols))))
        symbols.removeAll(keepingCapacity: true)
        dictionary.removeAll(keepingCapacity: true)
    }

    private var nextRunFrame: Int {
        runs.last.map { $0.firstFrame + $0.frameCount } ?? 0
    }

    private mutating func closeSection() {
        closePaced()
        closePacked()
        guard let format, frameCount > sectionStart else { return }
        let section = StreamSection(
            format: format, frames: sectionStart..<frameCount, startTicks: sectionTicks)
        sections.append(section)
        sectionTicks = section.endTicks
    }

    /// Returns the index of all frames added.
    mutating func finish() -> FrameIndex {
        closeSection()
        format = nil
        return FrameIndex(sections: sections, runs: runs, isFreeFormat: isFreeFormat)
    }
}
