import Foundation

/// Click tracks for training: a pulse without anything in between is the tempo, however slow or fast.
///
/// Named `clicks-BPM-KIND`, with three kinds of clicks (a beep, a tick of noise, a thud), some with background noise. Those with
/// bars are named `clicks-BPM-KIND-METRE-BAR`, with the beats of a bar and the number of the first beat that starts one; that
/// beat is louder, or a click of another kind.
enum ClickTracks {
    static var all: [(name: String, samples: () -> [Float])] {
        let spread = stride(from: 53, through: 213, by: 4).enumerated().map { index, bpm in
            let first = 0.1 + 0.01 * Double(bpm) / 60
            return track(bpm: bpm, first: first, kind: index % 3, isNoisy: index % 4 == 1)
        }
        // The period is a multiple of half a frame, so every second click may be between two frames and appear weaker.
        let aligned = [60, 72, 75, 80, 90, 96, 100, 120, 144, 150, 160, 180, 200].flatMap { bpm in
            (0..<3).map { track(bpm: bpm, first: 0.4, kind: $0, isNoisy: false) }
        }
        var random = SystemNoise(state: 1)
        let bars = [2, 3, 4, 4, 6].flatMap { metre in
            (0..<12).map { number in
                let bpm = 60 + Int(70 * (1 + random.next()))
                let bar = Int(Float(metre) * 0.4999 * (1 + random.next()))
                return track(
                    bpm: bpm, first: 0.1 + 0.05 * Double(number), kind: number % 3, isNoisy: number % 4 == 1,
                    bars: Bars(metre: metre, first: bar, isOtherSound: number % 2 == 1))
            }
        }
        return spread + aligned + bars
    }

    private struct Bars {
        let metre: Int
        let first: Int
        let isOtherSound: Bool
    }

    private static func track(
        bpm: Int, first: Double, kind: Int, isNoisy: Bool, bars: Bars? = nil
    ) -> (name: String, samples: () -> [Float]) {
        let suffix = bars.map { "-\($0.metre)-\($0.first)" } ?? ""
        return (
            "clicks-\(bpm)-\(kind)\(suffix)",
            { render(bpm: Double(bpm), first: first, kind: kind, isNoisy: isNoisy, bars: bars) }
        )
    }

    private static func render(bpm: Double, first: Double, kind: Int, isNoisy: Bool, bars: Bars?) -> [Float] {
        let rate = TempoLab.sampleRate
        var random = SystemNoise(state: UInt64(bpm))
        var samples = [Float](repeating: 0, count: Int(rate) * 30)
        if isNoisy { for i in samples.indices { samples[i] = 0.01 * random.next() } }
        var time = first
        var beat = 0
        while time < 29.5 {
            let start = Int(time * rate)
            let isAccent = bars.map { beat % $0.metre == $0.first } ?? false
            let kind = isAccent && bars?.isOtherSound == true ? (kind + 1) % 3 : kind
            let gain = bars == nil || isAccent ? 1 : 0.3
            for i in 0..<Int(0.2 * rate) {
                let t = Double(i) / rate
                let value: Double
                switch kind {
                case 0: value = 0.5 * exp(-t / 0.015) * sin(2 * .pi * 1400 * t)
                case 1: value = 0.4 * exp(-t / 0.008) * Double(random.next())
                default: value = 0.7 * exp(-t / 0.05) * sin(2 * .pi * 65 * t)
                }
                samples[start + i] += Float(gain * value)
            }
            time += 60 / bpm
            beat += 1
        }
        return samples
    }
}

/// White noise in −1…1, identical on every run.
private struct SystemNoise {
    var state: UInt64

    mutating func next() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }
}
