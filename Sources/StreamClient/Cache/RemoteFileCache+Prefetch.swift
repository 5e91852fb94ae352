extension RemoteFileCache {
    /// Downloads what an engine will play next while it plays, until the engine is shut down or the task is cancelled: as many
    /// tracks ahead as the options say. What is playing comes as a stream, unless its file is here already.
    public func prefetch(for engine: PlaybackEngine) async {
        let events = engine.events()
        await follow(engine)
        for await event in events {
            switch event {
            case .itemStarted, .queueChanged: await follow(engine)
            default: continue
            }
        }
    }

    private func follow(_ engine: PlaybackEngine) async {
        let now = await engine.snapshot()
        guard let index = now.index else { return }
        let here = now.item?.trackID.flatMap { file(of: $0)?.state == .complete ? $0 : nil }
        play(here, then: now.queue[(index + 1)...].compactMap(\.trackID))
    }
}
