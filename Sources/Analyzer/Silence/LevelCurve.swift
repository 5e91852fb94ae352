import Foundation

/// The level of a track in windows of 10 ms: the RMS of its loudest channel.
///
/// Window w covers the samples from `round(w · rate / 100)` to `round((w + 1) · rate / 100)`. The curve is stored in
/// half-decibel steps, one byte per window: 360 kB per hour.
struct LevelCurve: Sendable {
    /// Windows per second.
    static let windowsPerSecond = 100.0
    /// Lower limit of the curve in dBFS.
    static let floorDB = -127.0

    /// Attenuation of each window in half decibels: 0 is 0 dBFS or above, 254 is the floor.
    private(set) var attenuations: [UInt8] = []

    /// Creates an empty curve with capacity for a duration.
    init(expectedSeconds: Double = 0) {
        attenuations.reserveCapacity(Int((expectedSeconds * Self.windowsPerSecond).rounded(.up)) + 1)
    }

    /// Number of windows.
    var count: Int { attenuations.count }

    /// Level of a window as the RMS value in dBFS: a full-scale sine is −3 dBFS.
    subscript(window: Int) -> Double { Double(attenuations[window]) / -2 }

    mutating func append(meanSquare: Double) {
        let decibels = meanSquare > 0 ? max(Self.floorDB, min(0, 10 * log10(meanSquare))) : Self.floorDB
        attenuations.append(UInt8((-2 * decibels).rounded()))
    }

    /// Returns the start of a window in seconds.
    static func seconds(ofWindow window: Int) -> Double { Double(window) / windowsPerSecond }
}
