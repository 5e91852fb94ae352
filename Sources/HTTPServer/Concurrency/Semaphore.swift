internal import Glibc

/// A counter that threads wait on.
///
/// @unchecked: the system's semaphore is made for many threads; its memory lives as long as this.
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

    /// Counts up and lets one thread go on.
    func post() { sem_post(handle) }

    /// Waits until the counter is above zero and counts down.
    func wait() { while sem_wait(handle) != 0, errno == EINTR {} }
}
