/// Exact time in streams that may change their sampling rate.
///
/// All sampling rates of MPEG audio divide 14,112,000, so that every sample of every rate lasts a whole number of
/// these ticks: lengths add up without rounding, and 64 bits hold 20,000 years of them.
public enum StreamTime {
    /// Ticks in a second: the least common multiple of 44,100, 48,000 and 32,000 (and of their halves and quarters).
    public static let ticksPerSecond = 14_112_000

    /// Seconds, correctly rounded.
    public static func seconds(_ ticks: Int) -> Double {
        Double(ticks) / Double(ticksPerSecond)
    }

    /// Samples at `sampleRate`, rounded to the nearest; exact where the ticks are of that rate.
    public static func samples(_ ticks: Int, at sampleRate: Int) -> Int {
        let ticksPerSample = ticksPerSecond / sampleRate
        return (ticks + ticksPerSample / 2) / ticksPerSample
    }

    /// The 90 kHz clock of MPEG transport streams, rounded to the nearest, modulo 2³³ (RFC 8216 §3.4 asks for it).
    public static func mpegTimestamp(_ ticks: Int) -> UInt64 {
        // 14,112,000 / 90,000 = 784 / 5.
        UInt64((ticks * 5 + 392) / 784) & 0x1_FFFF_FFFF
    }
}
