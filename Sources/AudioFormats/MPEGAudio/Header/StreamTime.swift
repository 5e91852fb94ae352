/// Exact time in streams with changing sample rates.
///
/// All sample rates of MPEG audio divide 14,112,000, so every sample at every rate lasts a whole number of these ticks:
/// durations add up without rounding, and 64 bits are enough for 20,000 years.
public enum StreamTime {
    /// Ticks per second: the least common multiple of 44,100, 48,000 and 32,000 (and of their halves and quarters).
    public static let ticksPerSecond = 14_112_000

    /// Returns the time in seconds, correctly rounded.
    public static func seconds(_ ticks: Int) -> Double {
        Double(ticks) / Double(ticksPerSecond)
    }

    /// Returns the number of samples at `sampleRate`, rounded to the nearest; exact if the ticks are of that rate.
    public static func samples(_ ticks: Int, at sampleRate: Int) -> Int {
        let ticksPerSample = ticksPerSecond / sampleRate
        return (ticks + ticksPerSample / 2) / ticksPerSample
    }

    /// Returns the time on the 90 kHz clock of MPEG transport streams, rounded to the nearest, modulo 2³³ (required by RFC 8216
    /// §3.4).
    public static func mpegTimestamp(_ ticks: Int) -> UInt64 {
        // 14,112,000 / 90,000 = 784 / 5.
        UInt64((ticks * 5 + 392) / 784) & 0x1_FFFF_FFFF
    }
}
