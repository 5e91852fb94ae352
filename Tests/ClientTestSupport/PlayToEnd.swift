package import StreamClient

/// Plays a queue to its end, into a WAV file.
/// - Returns: the final state.
package func playToEnd(
    _ items: [PlayableItem], from seconds: Double = 0, into path: String,
    transport: any Transport = NoTransport(), locator: (any MediaLocator)? = nil,
    _ configuration: PlaybackConfiguration = .init()
) async -> PlayerState {
    let engine = PlaybackEngine(
        sink: WAVFileSink(path: path), transport: transport, configuration: configuration,
        locator: locator)
    let events = engine.events()
    await engine.play(items, from: seconds)
    var end = PlayerState.initialized
    for await event in events {
        if case .stateChanged(.stopped(let reason)) = event {
            end = .stopped(reason)
            break
        }
    }
    await engine.shutDown()
    return end
}
