internal import MusicalStructure
import Foundation

/// How strongly the level of each group of bands fluctuates, by octave of the modulation frequency: the fluctuation patterns of
/// Pampalk, Rauber and Merkl (2002), with octaves instead of single frequencies.
struct FluctuationPattern {
    /// Octaves from 0.23 Hz to 15 Hz, half the rate of the spectra.
    static let octaveCount = 6
    /// Rows of a window: 4.3 s. Half of them overlap.
    private static let windowLength = 1 << (octaveCount + 1)
    /// Added before the logarithm, in dB²: smaller fluctuations do not count.
    private static let floor = 0.3

    private let groupCount: Int
    private let fft = RealFFT(size: windowLength)
    private var rows: [SIMD8<Float>] = []
    private var windowCount = 0
    /// Power by octave, one lane per group.
    private var power = [SIMD8<Double>](repeating: .zero, count: octaveCount)

    private static let window: [Float] = (0..<windowLength).map {
        Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(windowLength)))
    }

    /// - Parameter groupCount: number of groups of bands, at most 8.
    init(groupCount: Int) {
        self.groupCount = groupCount
        rows.reserveCapacity(Self.windowLength)
    }

    /// Adds the levels of the groups in the next row, in dB.
    mutating func add(_ levels: SIMD8<Float>) {
        rows.append(levels)
        guard rows.count == Self.windowLength else { return }
        addWindow()
        rows.removeFirst(Self.windowLength / 2)
    }

    private mutating func addWindow() {
        windowCount += 1
        let mean = rows.reduce(.zero, +) / Float(rows.count)
        // The power of a sine is the square of its amplitude over 2, whatever the window.
        let scale = 1 / Double(Self.windowLength * Self.windowLength * 3 / 16)
        for group in 0..<groupCount {
            for index in 0..<Self.windowLength {
                fft.input[index] = (rows[index][group] - mean[group]) * Self.window[index]
            }
            fft.execute()
            for octave in 0..<Self.octaveCount {
                var sum: Float = 0
                for bin in 1 << octave..<2 << octave {
                    let real = fft.output[2 * bin]
                    let imaginary = fft.output[2 * bin + 1]
                    sum += real * real + imaginary * imaginary
                }
                power[octave][group] += Double(sum) * scale
            }
        }
    }

    /// The logarithms of the powers, octave by octave. A track shorter than a window is continued by its last row.
    mutating func vector() -> [Float] {
        if windowCount == 0, let last = rows.last {
            rows += Array(repeating: last, count: Self.windowLength - rows.count)
            addWindow()
        }
        return power.flatMap { octave in
            (0..<groupCount).map { Float(log(octave[$0] / Double(max(1, windowCount)) + Self.floor)) }
        }
    }
}
