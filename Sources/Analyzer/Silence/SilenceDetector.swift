import Foundation

/// Finds where a signal that arrives in blocks begins and ends to sound, and keeps its level curve.
struct SilenceDetector {
    /// What counts as silence.
    struct Settings: Sendable {
        /// A 10 ms window whose RMS value reaches this level in dBFS is sound.
        var thresholdDB = -60.0
        /// Leading or trailing silence shorter than this many seconds is none.
        var minimumSeconds = 0.05
    }

    private let settings: Settings
    private let sampleRate: Double
    private let thresholdEnergy: Double
    private var sums: [Double]
    private var position = 0
    private var windowStart = 0
    private var windowEnd: Int
    private var firstSound: Int?
    private var lastSound = 0

    /// The level of each whole window, and of the rest at the end.
    private(set) var levels: LevelCurve

    /// Makes a detector.
    /// - Parameters:
    ///   - sampleRate: in Hz.
    ///   - expectedSeconds: audio to make room for at once.
    init(sampleRate: Double, channelCount: Int, settings: Settings, expectedSeconds: Double = 0) {
        levels = LevelCurve(expectedSeconds: expectedSeconds)
        self.settings = settings
        self.sampleRate = sampleRate
        thresholdEnergy = pow(10, settings.thresholdDB / 10)
        sums = [Double](repeating: 0, count: channelCount)
        windowEnd = Int((sampleRate / LevelCurve.windowsPerSecond).rounded())
    }

    /// Takes the next samples.
    /// - Parameter channels: one buffer for each channel, all of the same length.
    mutating func consume(_ channels: [UnsafeBufferPointer<Float>]) {
        let count = channels[0].count
        var start = 0
        while start < count {
            let end = min(count, start + windowEnd - position)
            for channel in channels.indices {
                sums[channel] += Self.sumOfSquares(channels[channel], range: start..<end)
            }
            position += end - start
            start = end
            if position == windowEnd { endWindow() }
        }
    }

    /// Ends the signal.
    mutating func finish() -> SilenceBounds {
        if position > windowStart { endWindow() }
        let duration = Double(position) / sampleRate
        guard let firstSound else {
            return SilenceBounds(leadingEndSeconds: duration, trailingStartSeconds: 0, isSilent: true)
        }
        let leading = LevelCurve.seconds(ofWindow: firstSound)
        let trailing = min(duration, LevelCurve.seconds(ofWindow: lastSound + 1))
        return SilenceBounds(
            leadingEndSeconds: leading >= settings.minimumSeconds ? leading : 0,
            trailingStartSeconds: duration - trailing >= settings.minimumSeconds ? trailing : duration,
            isSilent: false)
    }

    /// Gives the level curve away.
    mutating func takeLevels() -> LevelCurve {
        defer { levels = LevelCurve() }
        return levels
    }

    private mutating func endWindow() {
        let energy = (sums.max() ?? 0) / Double(max(1, position - windowStart))
        if energy >= thresholdEnergy {
            if firstSound == nil { firstSound = levels.count }
            lastSound = levels.count
        }
        levels.append(meanSquare: energy)
        for channel in sums.indices { sums[channel] = 0 }
        windowStart = position
        windowEnd = Int((Double(levels.count + 1) * sampleRate / LevelCurve.windowsPerSecond).rounded())
    }

    private static func sumOfSquares(_ samples: UnsafeBufferPointer<Float>, range: Range<Int>) -> Double {
        let raw = UnsafeRawBufferPointer(samples)
        var sums = SIMD8<Float>.zero
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            let x = raw.loadUnaligned(fromByteOffset: index * 4, as: SIMD8<Float>.self)
            sums += x * x
            index += 8
        }
        var sum = sums.sum()
        while index < range.upperBound {
            sum += samples[index] * samples[index]
            index += 1
        }
        return Double(sum)
    }
}
