/// How many bits a second the network brings, from what it brought: a mean over intervals, newer ones counting more.
public struct BandwidthEstimate: Sendable, Equatable {
    /// How often the estimate is renewed, in seconds.
    public static let intervalSeconds = 5.0
    /// Weight of the newest interval.
    private static let weight = 0.5
    /// Bytes from which on a first measurement is trusted before its interval is over.
    private static let firstBytes = 32 * 1024
    /// Seconds of waiting below which a rate cannot be told: the clock and the buffers of the system blur it.
    private static let shortest = 0.001

    /// Bits per second; nil as long as nothing was measured.
    public private(set) var bitsPerSecond: Double?

    private let intervalSeconds: Double
    private var bytes = 0
    private var seconds = 0.0
    private var began: Double?
    private var isProvisional = true

    /// An estimate that knows nothing.
    public init(intervalSeconds: Double = BandwidthEstimate.intervalSeconds) {
        self.intervalSeconds = intervalSeconds
    }

    /// Takes in what came.
    /// - Parameters:
    ///   - bytes: bytes that came.
    ///   - seconds: for which they were waited.
    ///   - now: the time at which this is.
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
