internal import Glibc

/// Time since an arbitrary fixed point, unaffected by changes of the wall clock.
enum MonotonicClock {
    /// Returns the time in nanoseconds.
    static func nanoseconds() -> UInt64 { read(CLOCK_MONOTONIC) }

    /// Returns the time in nanoseconds with the resolution of the kernel tick, a few milliseconds; much cheaper.
    static func coarseNanoseconds() -> UInt64 { read(CLOCK_MONOTONIC_COARSE) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
