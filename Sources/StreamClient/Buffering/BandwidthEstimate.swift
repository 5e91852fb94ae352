/// The measured network throughput in bits per second: an exponentially weighted mean over intervals.
public struct BandwidthEstimate: Sendable, Equatable {
    /// Length of a measuring interval, in seconds.
    public static let intervalSeconds = 5.0
    /// Weight of the newest interval.
    private static let weight = 0.5
    /// Number of bytes after which a provisional estimate is available before the first interval is over.
    private static let firstBytes = 32 * 1024
    /// Shortest measuring time in seconds; below it, clock resolution and system buffers make the rate meaningless.
    private static let shortest = 0.001

    /// Throughput in bits per second; nil before the first measurement.
    public private(set) var bitsPerSecond: Double?

    private let intervalSeconds: Double
    private var bytes = 0
    private var seconds = 0.0
    private var began: Double?
    private var isProvisional = true

    /// An estimate without measurements.
    public init(intervalSeconds: Double = BandwidthEstimate.intervalSeconds) {
        self.intervalSeconds = intervalSeconds
    }

    /// Adds a measurement.
    /// - Parameters:
    ///   - bytes: number of bytes received.
    ///   - seconds: time spent waiting for them.
    ///   - now: current time in seconds.
    public mutating func add(bytes: Int, seconds: Double, at now: Double) {
        let start = began ?? (now - seconds)
        began = start
        self.bytes += bytes
        self.seconds += seconds
        if isProvisional, self.bytes >= Self.firstBytes {
            bitsPerSecond = Double(self.bytes) * 8 / max(Self.shortest, self.seconds)
        }
        guard now - start >= intervalSeconds, self.seconds > 0 else { return }
        let measured = Double(self.bytes) * 8 / max(Self.shortest, self.seconds)
        if let known = bitsPerSecond, !isProvisional {
            bitsPerSecond = known + (measured - known) * Self.weight
        } else {
            bitsPerSecond = measured
        }
        isProvisional = false
        self.bytes = 0
        self.seconds = 0
        began = now
    }
}
