import Foundation

/// Loudness of several tracks treated as one programme, computed from their stored block energies.
public struct AlbumLoudness: Sendable, Equatable {
    /// Integrated loudness in LUFS of all tracks together; nil if no block exceeds the absolute gate.
    public var integratedLUFS: Double?
    /// Loudness range in LU of all tracks together.
    public var loudnessRangeLU: Double
    /// Largest absolute sample value of all tracks.
    public var samplePeak: Double
    /// Largest true peak of all tracks, linear.
    public var truePeak: Double

    /// Memberwise initializer.
    public init(integratedLUFS: Double?, loudnessRangeLU: Double, samplePeak: Double, truePeak: Double) {
        self.integratedLUFS = integratedLUFS
        self.loudnessRangeLU = loudnessRangeLU
        self.samplePeak = samplePeak
        self.truePeak = truePeak
    }

    /// Pools the tracks: the gates apply to the blocks of all tracks together. This equals a measurement of the concatenation,
    /// except for the few blocks that straddle two tracks.
    public init(of tracks: [LoudnessMeasurement]) {
        var gatingBlocks = EnergyHistogram()
        var shortTermBlocks = EnergyHistogram()
        for track in tracks {
            gatingBlocks.merge(track.gatingBlocks)
            shortTermBlocks.merge(track.shortTermBlocks)
        }
        self.init(
            integratedLUFS: gatingBlocks.gatedMean(below: Loudness.integratedGateLU).map(
                Loudness.lufs(energy:)),
            loudnessRangeLU: shortTermBlocks.gatedRange(below: Loudness.rangeGateLU),
            samplePeak: tracks.map(\.samplePeak).max() ?? 0,
            truePeak: tracks.map(\.truePeak).max() ?? 0)
    }

    /// ReplayGain 2.0 album gain in dB; nil without integrated loudness.
    public var replayGainDB: Double? {
        integratedLUFS.map { LoudnessMeasurement.replayGainReferenceLUFS - $0 }
    }
}

extension EnergyHistogram {
    /// Returns the mean energy of the blocks above the relative gate; nil if the histogram is empty.
    fileprivate func gatedMean(below offsetLU: Double) -> Double? {
        let gated = gatedBins(below: offsetLU)
        let count = gated.reduce(0) { $0 + $1.count }
        return count > 0 ? gated.reduce(0) { $0 + $1.sum } / Double(count) : nil
    }

    /// Returns the distance in LU between the 10th and 95th percentile of the blocks above the relative gate.
    fileprivate func gatedRange(below offsetLU: Double) -> Double {
        let gated = gatedBins(below: offsetLU)
        let count = gated.reduce(0) { $0 + $1.count }
        func loudness(atPercentile fraction: Double) -> Double? {
            let rank = Int((Double(count - 1) * fraction).rounded())
            var passed = 0
            for bin in gated {
                passed += bin.count
                if passed > rank { return Loudness.lufs(energy: bin.meanEnergy) }
            }
            return nil
        }
        guard let low = loudness(atPercentile: 0.10), let high = loudness(atPercentile: 0.95) else {
            return 0
        }
        return high - low
    }

    private func gatedBins(below offsetLU: Double) -> [(meanEnergy: Double, count: Int, sum: Double)] {
        let bins = occupiedBins
        let count = bins.reduce(0) { $0 + $1.count }
        guard count > 0 else { return [] }
        let gate = bins.reduce(0) { $0 + $1.sum } / Double(count) * pow(10, offsetLU / 10)
        return bins.filter { $0.meanEnergy >= gate }
    }
}
