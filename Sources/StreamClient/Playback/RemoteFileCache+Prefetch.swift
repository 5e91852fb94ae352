extension RemoteFileCache {
    /// Downloads the upcoming tracks of an engine's queue while it plays, until the engine is shut down or the task is
    /// cancelled. ``Options/prefetchCount`` limits the number of tracks. The current track is streamed, unless its file is
    /// already cached.
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
