/// A task that needs the multicast DNS daemon. Its functions are called only on the thread of its ``DaemonConnection``.
protocol DaemonTask: AnyObject, Sendable {
    /// The daemon is running, and its own host name is settled.
    func begin(_ client: DaemonClient)
    /// The daemon is choosing another host name: withdraw all registrations until ``begin(_:)`` is called again.
    func pause()
    /// The daemon has gone, or the task has ended. Free everything that belongs to the client now.
    func end()
    /// No daemon is reachable. Called once for each outage, with the reason.
    func isUnavailable(_ reason: String)
}
