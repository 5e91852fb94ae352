import Foundation

/// Click tracks for training: a pulse without anything in between is the tempo, however slow or fast.
///
/// Named `clicks-BPM-KIND`, with three kinds of clicks (a beep, a tick of noise, a thud), some with background noise.
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
        return spread + aligned
    }

    private static func track(
        bpm: Int, first: Double, kind: Int, isNoisy: Bool
    ) -> (name: String, samples: () -> [Float]) {
        ("clicks-\(bpm)-\(kind)", { render(bpm: Double(bpm), first: first, kind: kind, isNoisy: isNoisy) })
    }

    private static func render(bpm: Double, first: Double, kind: Int, isNoisy: Bool) -> [Float] {
        let rate = TempoLab.sampleRate
        var random = SystemNoise(state: UInt64(bpm))
        var samples = [Float](repeating: 0, count: Int(rate) * 30)
        if isNoisy { for i in samples.indices { samples[i] = 0.01 * random.next() } }
        var time = first
        while time < 29.5 {
            let start = Int(time * rate)
            for i in 0..<Int(0.2 * rate) {
                let t = Double(i) / rate
                let value: Double
                switch kind {
                case 0: value = 0.5 * exp(-t / 0.015) * sin(2 * .pi * 1400 * t)
                case 1: value = 0.4 * exp(-t / 0.008) * Double(random.next())
                default: value = 0.7 * exp(-t / 0.05) * sin(2 * .pi * 65 * t)
                }
                samples[start + i] += Float(value)
            }
            time += 60 / bpm
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
