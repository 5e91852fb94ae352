internal import Glibc

/// A counting semaphore.
///
/// @unchecked: POSIX semaphores are thread-safe; the memory lives as long as this object.
final class Semaphore: @unchecked Sendable {
    private let handle: UnsafeMutablePointer<sem_t>

    init() {
        handle = .allocate(capacity: 1)
        sem_init(handle, 0, 0)
    }

    deinit {
        sem_destroy(handle)
        handle.deallocate()
    }

    /// Increments the counter and wakes one waiting thread.
    func post() { sem_post(handle) }

    /// Waits like ``wait()``, but at most for the given time.
    func wait(milliseconds: Int) {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_nsec += milliseconds * 1_000_000
        end.tv_sec += end.tv_nsec / 1_000_000_000
        end.tv_nsec %= 1_000_000_000
        while sem_timedwait(handle, &end) != 0, errno == EINTR {}
    }

    /// Waits until the counter is above zero and decrements it.
    func wait() { while sem_wait(handle) != 0, errno == EINTR {} }
}
