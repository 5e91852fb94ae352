extension OnsetEnvelope {
    /// Prominence of the strongest onsets: the 99th percentile of the flux of all bands, in octaves of power times the square
    /// root of a band's bins.
    ///
    /// Single events, such as the start of the track, do not affect it, but one click per second still does.
    var strength: Double {
        guard !strengths.isEmpty else { return 0 }
        // Selects by rank, one base-512 digit at a time: the result of sorting, in fixed memory.
        let above = strengths.count / 100
        let high = Self.digit(ofRankFromTop: above, in: strengths.lazy.map { Self.sum($0) >> 9 })
        let sums = strengths.lazy.map(Self.sum).filter { $0 >> 9 == high.digit }
        let low = Self.digit(ofRankFromTop: above - high.countAbove, in: sums.map { $0 & 511 })
        return Double(high.digit << 9 | low.digit) / Double(Self.unitsPerOctave)
    }

    private static func sum(_ flux: SIMD4<UInt16>) -> Int {
        Int(SIMD4<UInt32>(truncatingIfNeeded: flux).wrappedSum())
    }

    /// Returns the digit (0…511) exceeded by at most `rank` others, and the number of those.
    private static func digit(
        ofRankFromTop rank: Int, in digits: some Sequence<Int>
    ) -> (digit: Int, countAbove: Int) {
        var counts = [Int](repeating: 0, count: 512)
        for digit in digits { counts[digit] += 1 }
        var above = 0
        for digit in counts.indices.reversed() {
            if above + counts[digit] > rank { return (digit, above) }
            above += counts[digit]
        }
        return (0, above)
    }
}
