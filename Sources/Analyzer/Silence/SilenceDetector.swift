import Foundation

/// Detects the start and end of sound in a signal that arrives in blocks, and records its level curve.
///
/// A constant offset (DC) is not sound: the part common to the means of five consecutive windows, before or after a window, is
/// removed from its level, whichever is larger. Half a period of a 20 Hz tone is shorter than that, so audible sound keeps its
/// level.
struct SilenceDetector {
    /// Definition of silence.
    struct Settings: Sendable {
        /// Level in dBFS from which the RMS value of a 10 ms window counts as sound.
        var thresholdDB = -60.0
        /// Leading or trailing silence shorter than this many seconds is ignored.
        var minimumSeconds = 0.05
    }

    private let settings: Settings
    private let sampleRate: Double
    private let thresholdEnergy: Double
    private let channelCount: Int
    private var sums = SIMD2<Double>.zero
    private var squares = SIMD2<Double>.zero
    /// Recent windows: first those whose level is known, then those waiting for the windows after them.
    private var recent: [Window] = []
    private var waiting = 0
    private var position = 0
    private var windowStart = 0
    private var windowEnd: Int
    private var windowCount = 0
    private var firstSound: Int?
    private var lastSound = 0

    /// Levels of all complete windows, and of the rest at the end.
    private(set) var levels: LevelCurve

    /// Mean and mean square of a window for up to two channels.
    private struct Window {
        var means: SIMD2<Double>
        var meanSquares: SIMD2<Double>
    }

    /// Windows on either side used to determine the offset.
    private static let offsetReach = 4

    /// Creates a detector.
    /// - Parameters:
    ///   - sampleRate: in Hz.
    ///   - channelCount: 1 or 2.
    ///   - expectedSeconds: duration of audio to reserve memory for.
    init(sampleRate: Double, channelCount: Int, settings: Settings, expectedSeconds: Double = 0) {
        levels = LevelCurve(expectedSeconds: expectedSeconds)
        self.settings = settings
        self.sampleRate = sampleRate
        thresholdEnergy = pow(10, settings.thresholdDB / 10)
        self.channelCount = channelCount
        windowEnd = Int((sampleRate / LevelCurve.windowsPerSecond).rounded())
    }

    /// Consumes the next samples.
    /// - Parameter channels: one buffer per channel, all of the same length.
    mutating func consume(_ channels: [UnsafeBufferPointer<Float>]) {
        let count = channels[0].count
        var start = 0
        while start < count {
            let end = min(count, start + windowEnd - position)
            for channel in channels.indices {
                let (sum, square) = Self.sums(channels[channel], range: start..<end)
                sums[channel] += sum
                squares[channel] += square
            }
            position += end - start
            start = end
            if position == windowEnd { endWindow() }
        }
    }

    /// Ends the signal and returns the result.
    mutating func finish() -> SilenceBounds {
        if position > windowStart { endWindow() }
        while waiting > 0 { levelOldest() }
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

    /// Moves the level curve out of the detector.
    mutating func takeLevels() -> LevelCurve {
        defer { levels = LevelCurve() }
        return levels
    }

    private mutating func endWindow() {
        let count = Double(max(1, position - windowStart))
        recent.append(Window(means: sums / count, meanSquares: squares / count))
        waiting += 1
        windowCount += 1
        sums = .zero
        squares = .zero
        windowStart = position
        windowEnd = Int((Double(windowCount + 1) * sampleRate / LevelCurve.windowsPerSecond).rounded())
        if waiting > Self.offsetReach { levelOldest() }
    }

    /// Computes the level of the first waiting window.
    private mutating func levelOldest() {
        let place = recent.count - waiting
        var energy = 0.0
        for channel in 0..<channelCount {
            let offset = offset(at: place, channel)
            let mean = recent[place].means[channel]
            // The mean of (x − offset)²; rounding may make it negative.
            let own = recent[place].meanSquares[channel] - 2 * offset * mean + offset * offset
            energy = max(energy, own)
        }
        if energy >= thresholdEnergy {
            if firstSound == nil { firstSound = levels.count }
            lastSound = levels.count
        }
        levels.append(meanSquare: energy)
        waiting -= 1
        if place == Self.offsetReach { recent.removeFirst() }
    }

    /// Returns the constant part of a channel around a window, or 0.
    private func offset(at place: Int, _ channel: Int) -> Double {
        let before = common(max(0, place - Self.offsetReach)...place, channel)
        let after = common(place...min(recent.count - 1, place + Self.offsetReach), channel)
        return abs(before) > abs(after) ? before : after
    }

    /// Returns the mean of the smallest magnitude if all have the same sign; 0 otherwise, or if there are too few windows.
    private func common(_ range: ClosedRange<Int>, _ channel: Int) -> Double {
        guard range.count > Self.offsetReach else { return 0 }
        var least = recent[range.lowerBound].means[channel]
        for place in range {
            let mean = recent[place].means[channel]
            if mean * least <= 0 { return 0 }
            if abs(mean) < abs(least) { least = mean }
        }
        return least
    }

    private static func sums(
        _ samples: UnsafeBufferPointer<Float>, range: Range<Int>
    ) -> (sum: Double, square: Double) {
        let raw = UnsafeRawBufferPointer(samples)
        var sums = SIMD8<Float>.zero
        var squares = SIMD8<Float>.zero
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            let x = raw.loadUnaligned(fromByteOffset: index * 4, as: SIMD8<Float>.self)
            sums += x
            squares += x * x
            index += 8
        }
        var sum = sums.sum()
        var square = squares.sum()
        while index < range.upperBound {
            sum += samples[index]
            square += samples[index] * samples[index]
            index += 1
        }
        return (Double(sum), Double(square))
    }
}
