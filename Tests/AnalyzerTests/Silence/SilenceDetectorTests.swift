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
        "Bounds are exact to within 10 ms",
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

    @Test("Digital silence is a valid track marked as silent")
    func allSilent() {
        let found = bounds([Signal(sampleRate: 44_100).silence(3)])
        #expect(found == SilenceBounds(leadingEndSeconds: 3, trailingStartSeconds: 0, isSilent: true))
    }

    @Test("An empty signal is silent")
    func empty() {
        #expect(bounds([Signal(sampleRate: 44_100)]).isSilent)
    }

    // A sine's RMS value is 3.01 dB below its peak.
    @Test("The threshold is an RMS level", arguments: [-60.0, -40, -70])
    func threshold(level: Double) {
        for (offset, isSilent) in [(3.01 - 0.2, true), (3.01 + 0.2, false)] {
            let signal = Signal(sampleRate: 44_100).sine(1000, peakDB: level + offset, 1)
            #expect(bounds([signal], .init(thresholdDB: level)).isSilent == isSilent)
        }
    }

    @Test("Silence shorter than the minimum is ignored", arguments: [0.05, 0.5])
    func minimum(minimum: Double) {
        for (length, expected) in [(minimum - 0.02, 0.0), (minimum + 0.02, minimum + 0.02)] {
            let signal = Signal(sampleRate: 44_100).silence(length).sine(440, peakDB: -20, 1).silence(length)
            let found = bounds([signal], .init(minimumSeconds: minimum))
            #expect(abs(found.leadingEndSeconds - expected) <= 0.01)
            #expect(abs(signal.seconds - found.trailingStartSeconds - expected) <= 0.01)
        }
    }

    @Test("A constant offset is not sound", arguments: [0.002, 0.01, 0.3, -0.05] as [Float])
    func constantOffset(offset: Float) {
        var signal = Signal(sampleRate: 44_100).silence(2).sine(440, peakDB: -20, 3).silence(1.5)
        var silence = Signal(sampleRate: 44_100).silence(3)
        for index in signal.samples.indices { signal.samples[index] += offset }
        for index in silence.samples.indices { silence.samples[index] += offset }
        let found = bounds([signal])
        #expect(abs(found.leadingEndSeconds - 2) <= 0.01 && abs(found.trailingStartSeconds - 5) <= 0.01)
        #expect(bounds([silence]).isSilent)
    }

    @Test("A low tone keeps its level", arguments: [20.0, 27.5, 50, 100.3])
    func lowTone(hertz: Double) {
        // The level of the loudest 10 ms window is between the tone's RMS value, 3.01 dB below its peak, and its peak.
        let signal = Signal(sampleRate: 44_100).sine(hertz, peakDB: -56.8, 2)
        #expect(!bounds([signal]).isSilent)
        #expect(bounds([Signal(sampleRate: 44_100).sine(hertz, peakDB: -60.2, 2)]).isSilent)
    }
}
