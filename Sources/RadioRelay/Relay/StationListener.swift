/// Receives the audio of a relayed station, for instance to record it. Called on the relay's thread: no call may block for long.
package protocol StationListener: AnyObject, Sendable {
    /// A frame, in order, with its time in milliseconds since 1970.
    func received(_ frame: StationFrame, atMilliseconds time: Double)
    /// The title of the frames that follow; empty if the station ended a title without another.
    func titleChanged(to title: String, atMilliseconds time: Double)
    /// The connection was lost; frames that follow do not continue those before.
    func connectionWasLost()
    /// The relay ends. Called once, last.
    func relayEnded()
}
