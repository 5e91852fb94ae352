import TestSupport
import Testing

@testable import Analyzer

@Suite("Silence")
struct SilenceDetectorTests {
    private func bounds(
        _ channels: [Signal], _ settings: SilenceDetector.Settings = SilenceDetector.Settings()
    ) -> SilenceBounds {
        var detector = SilenceDetector(
            sampleRate: channels[0].sampleRate, channelCount: channels.count, settings: settings)
        MeteredSignal.inBlocks(channels) { detector.consume($0) }
        return detector.finish()
    }

    @Test(
        "Bounds are within 10 ms of the truth",
        arguments: [44_100.0, 48_000, 22_050, 11_025, 8000],
        [(0.0, 0.0), (0.5, 1.25), (2.3456, 0.1234), (10, 7)])
    func boundsAreExact(rate: Double, lengths: (leading: Double, trailing: Double)) {
        let signal = Signal(sampleRate: rate).silence(lengths.leading).sine(440, peakDB: -20, 3)
            .silence(lengths.trailing)
        let found = bounds([signal])
        #expect(!found.isSilent)
        #expect(abs(found.leadingEndSeconds - lengths.leading) <= 0.01)
        #expect(abs(found.trailingStartSeconds - (signal.seconds - lengths.trailing)) <= 0.01)
    }

    @Test("A signal in one channel is sound")
    func oneChannel() {
        let silence = Signal(sampleRate: 44_100).silence(4)
        let sound = Signal(sampleRate: 44_100).silence(1).sine(440, peakDB: -50, 2).silence(1)
        for channels in [[silence, sound], [sound, silence]] {
            #expect(abs(bounds(channels).leadingEndSeconds - 1) <= 0.01)
            #expect(abs(bounds(channels).trailingStartSeconds - 3) <= 0.01)
        }
    }

    @Test("Digital silence is a valid track that says so")
    func allSilent() {
        let found = bounds([Signal(sampleRate: 44_100).silence(3)])
        #expect(found == SilenceBounds(leadingEndSeconds: 3, trailingStartSeconds: 0, isSilent: true))
    }

    @Test("An empty signal is silent")
    func empty() {
        #expect(bounds([Signal(sampleRate: 44_100)]).isSilent)
    }

    // A sine's RMS value lies 3.01 dB below its peak.
    @Test("The threshold is an RMS level", arguments: [-60.0, -40, -70])
    func threshold(level: Double) {
        for (offset, isSilent) in [(3.01 - 0.2, true), (3.01 + 0.2, false)] {
            let signal = Signal(sampleRate: 44_100).sine(1000, peakDB: level + offset, 1)
            #expect(bounds([signal], .init(thresholdDB: level)).isSilent == isSilent)
        }
    }

    @Test("Silence under the minimum is none", arguments: [0.05, 0.5])
    func minimum(minimum: Double) {
        for (length, expected) in [(minimum - 0.02, 0.0), (minimum + 0.02, minimum + 0.02)] {
            let signal = Signal(sampleRate: 44_100).silence(length).sine(440, peakDB: -20, 1).silence(length)
            let found = bounds([signal], .init(minimumSeconds: minimum))
            #expect(abs(found.leadingEndSeconds - expected) <= 0.01)
            #expect(abs(signal.seconds - found.trailingStartSeconds - expected) <= 0.01)
        }
    }
}
