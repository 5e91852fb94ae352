import TestSupport

@testable import Analyzer

extension Signal {
    /// The cue points of a track with this signal in one channel.
    var cuePoints: CuePoints {
        var meter = LoudnessMeter(sampleRate: sampleRate, channelWeights: [1])
        var silence = SilenceDetector(sampleRate: sampleRate, channelCount: 1, settings: .init())
        MeteredSignal.inBlocks([self]) {
            meter.consume($0)
            silence.consume($0)
        }
        let bounds = silence.finish()
        return CuePointFinder(
            loudness: LoudnessCurve(momentaryEnergies: meter.momentaryEnergies), levels: silence.levels,
            silence: bounds, integratedLUFS: meter.finish().integratedLUFS, durationSeconds: seconds
        ).find()
    }

    /// Returns the sum of this signal and another of at least its length.
    func mixed(with other: Signal) -> Signal {
        var mix = self
        for index in mix.samples.indices { mix.samples[index] += other.samples[index] }
        return mix
    }
}
