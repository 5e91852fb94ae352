internal import Glibc

/// Time since some fixed point, unmoved by changes of the wall clock.
enum MonotonicClock {
    /// Nanoseconds.
    static func nanoseconds() -> UInt64 { read(CLOCK_MONOTONIC) }

    /// Nanoseconds at the resolution of the kernel's tick, a few milliseconds, at a fraction of the cost.
    static func coarseNanoseconds() -> UInt64 { read(CLOCK_MONOTONIC_COARSE) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
