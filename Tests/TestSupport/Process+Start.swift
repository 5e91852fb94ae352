public import Foundation

extension Process {
    private static let starting = NSLock()

    /// Runs it, one at a time in this process: to be called instead of `run()`.
    ///
    /// Foundation learns of a child's end by a socket that the child holds. Another child that is started in the same moment
    /// inherits that socket, too, and whoever waits for the first one waits for the other as well, however long that runs.
    ///
    /// - Throws: What `run()` throws.
    public func start() throws {
        try Self.starting.withLock { try run() }
    }
}
