/// What is to be done with the daemon of multicast DNS. Called on the thread of its ``DaemonConnection`` only.
protocol DaemonTask: AnyObject, Sendable {
    /// The daemon is there, and its own names are settled.
    func begin(_ client: DaemonClient)
    /// The daemon looks for another name for itself: what was told it must be withdrawn, until it begins again.
    func pause()
    /// The daemon is gone, or the task is over. Everything that belongs to the client has to go now.
    func end()
    /// There is no daemon to talk to, for a reason that is told once until there was one again.
    func isUnavailable(_ reason: String)
}
