import Foundation

/// Levels of the sound in steps of about 1.5 ms, which show when notes start.
///
/// Beats are tracked in frames that are 17 ms apart and see 23 ms of audio, and the flux of an attack is largest when much of it is
/// in the window. So beats are 10 to 30 ms late: differently for each track, as its instruments speak fast or slowly, but by the same
/// time within a track. ``delaySeconds(ofBeats:)`` measures it: levels around all beats are superimposed, and the attack is where they
/// rise most.
struct AttackCurve: Sendable {
    /// Levels of the sound and of the differences of successive samples, which emphasise high notes and percussion, in half decibels
    /// above −120 dBFS.
    private var levels: [SIMD2<UInt8>] = []
    /// Samples per step.
    private let stepLength: Int
    private let stepSeconds: Double

    /// Sums of squares of the unfinished step.
    private var power = SIMD2<Float>.zero
    private var pendingCount = 0
    private var previousSample: Float = 0

    private static let unitsPerDecibel = 2.0
    /// Units per doubling of the power: 10·log₁₀ 2 decibels.
    private static let unitsPerOctave = Float(3.010_299_96 * unitsPerDecibel)
    /// The mean square that is level 0.
    private static let floorPower: Float = 1e-12
    /// Where attacks are searched, in seconds after the tracked beat.
    private static let window = -0.055...0.03
    /// The attack's probable place in seconds after the tracked beat and its standard deviation; they choose one of several rises.
    /// These and the following values were chosen on composed songs.
    private static let (probablePlace, deviation) = (-0.015, 0.02)
    /// Range of audible levels below the loudest step around a beat.
    private static let rangeDB = 30.0
    /// Number of steps on either side over which levels are averaged.
    private static let smoothingReach = 3
    /// The attack consists of the steps around the largest rise that rise by at least this fraction of it.
    private static let leastShare = 0.6

    /// - Parameters:
    ///   - sampleRate: in Hz, above 0.
    ///   - expectedSeconds: duration of audio to reserve memory for, 1.4 kB per second.
    init(sampleRate: Double, expectedSeconds: Double = 0) {
        stepLength = max(8, 8 * Int((sampleRate * 0.001_45 / 8).rounded()))
        stepSeconds = Double(stepLength) / sampleRate
        levels.reserveCapacity(Int(expectedSeconds / stepSeconds) + 1)
    }

    /// Appends the next samples.
    mutating func consume(_ samples: UnsafeBufferPointer<Float>) {
        var start = 0
        while start < samples.count {
            let end = min(samples.count, start + stepLength - pendingCount)
            power += Self.power(of: samples, start..<end, after: previousSample)
            previousSample = samples[end - 1]
            pendingCount += end - start
            start = end
            guard pendingCount == stepLength else { continue }
            levels.append(units(power))
            power = .zero
            pendingCount = 0
        }
    }

    /// Returns the sums of the squares of samples and of their differences.
    ///
    /// - Parameter range: not empty.
    private static func power(
        of samples: UnsafeBufferPointer<Float>, _ range: Range<Int>, after previous: Float
    ) -> SIMD2<Float> {
        let raw = UnsafeRawBufferPointer(samples)
        let first = SIMD2(samples[range.lowerBound], samples[range.lowerBound] - previous)
        var rest = first * first
        var (sound, change) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        var index = range.lowerBound + 1
        while index + 8 <= range.upperBound {
            let these = raw.loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Float>.self)
            let differences = these - raw.loadUnaligned(fromByteOffset: 4 * index - 4, as: SIMD8<Float>.self)
            sound += these * these
            change += differences * differences
            index += 8
        }
        for index in index..<range.upperBound {
            let last = SIMD2(samples[index], samples[index] - samples[index - 1])
            rest += last * last
        }
        return rest + SIMD2(sound.sum(), change.sum())
    }

    /// Returns the levels of sums of squares.
    private func units(_ sums: SIMD2<Float>) -> SIMD2<UInt8> {
        let ratios = SIMD4(lowHalf: sums, highHalf: .zero) / (Self.floorPower * Float(stepLength))
        let octaves = OnsetEnvelope.approximateLog2(ratios.replacing(with: 1, where: ratios .< 1))
        let units = octaves * Self.unitsPerOctave
        return SIMD4<UInt8>(truncatingIfNeeded: units.replacing(with: 255, where: units .> 255).integerParts)
            .lowHalf
    }

    /// Returns how much later the beats are than the attacks of the notes; 0 if the sound has no attacks there.
    ///
    /// - Parameter beatSeconds: times of tracked beats.
    func delaySeconds(ofBeats beatSeconds: [Double]) -> Double {
        let steps = Int(Self.window.lowerBound / stepSeconds)...Int(Self.window.upperBound / stepSeconds)
        var sums = [SIMD2<Double>](repeating: .zero, count: steps.count + 1 + 2 * Self.smoothingReach)
        for beat in beatSeconds {
            // A rise needs the averages of two steps.
            let first = Int((beat / stepSeconds).rounded()) + steps.lowerBound - 1 - Self.smoothingReach
            guard first >= 0, first + sums.count <= levels.count else { continue }
            addAudible(levels[first..<first + sums.count], to: &sums)
        }
        // The averages of neighbouring steps differ by the value that enters and the one that leaves.
        let width = 2 * Self.smoothingReach + 1
        let rises = (0..<steps.count).map { index in
            let change = sums[index + width] - sums[index]
            return max(0, change[0]) + max(0, change[1])
        }
        let probable = rises.indices.map { index in
            let place = Double(steps.lowerBound + index) * stepSeconds
            let distance = (place - Self.probablePlace) / Self.deviation
            return rises[index] * exp(-distance * distance / 2)
        }
        guard let peak = probable.indices.max(by: { probable[$0] < probable[$1] }), probable[peak] > 0 else {
            return 0
        }
        let isAttack = { rises[$0] >= Self.leastShare * rises[peak] }
        let first = peak - (0..<peak).reversed().prefix(while: isAttack).count
        let last = peak + (peak + 1..<rises.count).prefix(while: isAttack).count
        var (weight, moment) = (0.0, 0.0)
        for index in first...last {
            weight += rises[index]
            moment += rises[index] * Double(steps.lowerBound + index)
        }
        return -moment / weight * stepSeconds
    }

    /// Adds the levels around a beat, limited to the audible range.
    private func addAudible(_ around: ArraySlice<SIMD2<UInt8>>, to sums: inout [SIMD2<Double>]) {
        for lane in 0..<2 {
            let loudest = around.reduce(0) { max($0, Double($1[lane])) }
            let least = loudest - Self.rangeDB * Self.unitsPerDecibel
            for (index, level) in around.enumerated() { sums[index][lane] += max(least, Double(level[lane])) }
        }
    }
}
