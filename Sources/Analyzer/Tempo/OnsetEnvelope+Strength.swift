extension OnsetEnvelope {
    /// How far the strongest onsets stand out: the 99th percentile of the flux of all bands, in octaves of power times
    /// the square root of a band's bins.
    ///
    /// Single events, such as the beginning of the track, do not move it; of a click a second it still sees every one.
    var strength: Double {
        guard !strengths.isEmpty else { return 0 }
        // The value of a rank, digit by digit of 512: what sorting would find, in a fixed room.
        let above = strengths.count / 100
        let high = Self.digit(ofRankFromTop: above, in: strengths.lazy.map { Self.sum($0) >> 9 })
        let sums = strengths.lazy.map(Self.sum).filter { $0 >> 9 == high.digit }
        let low = Self.digit(ofRankFromTop: above - high.countAbove, in: sums.map { $0 & 511 })
        return Double(high.digit << 9 | low.digit) / Double(Self.unitsPerOctave)
    }

    private static func sum(_ flux: SIMD4<UInt16>) -> Int {
        Int(SIMD4<UInt32>(truncatingIfNeeded: flux).wrappedSum())
    }

    /// The digit (0…511) that `rank` others at most exceed, and how many do exceed it.
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
