internal import Glibc

/// The processor time of a thread. Unlike time on the clock, it does not include that of other tests, which share a few cores.
public enum ProcessorTime {
    /// Returns how long the processor works on `body` in this thread.
    public static func measure(_ body: () throws -> Void) rethrows -> Duration {
        let start = now
        try body()
        return now - start
    }

    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
