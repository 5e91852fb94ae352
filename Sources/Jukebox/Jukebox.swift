package import MusicShared
internal import StreamClient
internal import StreamClientLinux

/// The host's own player: plays a queue of the library's tracks through the host's sound card or into a FIFO.
///
/// Commands run one after the other, in the order in which they arrive. The queue, the position and the volume are kept in a file.
package actor Jukebox {
    /// Parts of the host that the jukebox uses.
    package struct Library: Sendable {
        /// Identifies the library: track IDs are only valid within one.
        package var id: String
        /// Returns the existing tracks of some IDs, in their order.
        package var tracks: @Sendable ([Int]) throws -> [TrackItem]
        /// Returns the path of a track's file.
        package var path: @Sendable (_ trackID: Int) async throws -> String
        /// Plans a transition.
        package var plan: @Sendable (_ from: Int, _ to: Int) throws -> CrossfadePlan

        /// Memberwise initializer.
        package init(
            id: String, tracks: @escaping @Sendable ([Int]) throws -> [TrackItem],
            path: @escaping @Sendable (Int) async throws -> String,
            plan: @escaping @Sendable (Int, Int) throws -> CrossfadePlan
        ) {
            self.id = id
            self.tracks = tracks
            self.path = path
            self.plan = plan
        }
    }

    /// Reports of the jukebox to the host.
    package struct Observer: Sendable {
        /// Called after every change of the state, except that the position moves on.
        package var changed: @Sendable () -> Void
        /// Called when a track starts, and when it has been played to its end, with the account that started playback.
        package var heard: @Sendable (_ track: Int, _ accountID: Int, _ isComplete: Bool) -> Void
        /// Called with messages for the owner.
        package var report: @Sendable (String) -> Void

        /// Memberwise initializer.
        package init(
            changed: @escaping @Sendable () -> Void,
            heard: @escaping @Sendable (_ track: Int, _ accountID: Int, _ isComplete: Bool) -> Void,
            report: @escaping @Sendable (String) -> Void
        ) {
            self.changed = changed
            self.heard = heard
            self.report = report
        }
    }

    /// The role that an account needs to control the jukebox.
    package nonisolated let role: AccountRole
    /// The output as it is shown to users.
    package nonisolated let output: String

    /// Seconds between two writes of the position while it plays.
    private static let saveSeconds = 10.0

    let engine: PlaybackEngine
    let library: Library
    /// The tracks of the queue by their IDs.
    var known: [Int: TrackItem] = [:]
    var revision = 1
    /// The account that started playback, whose plays are counted.
    var accountID = Account.mainID

    private let sink: any AudioSink
    private let locator: JukeboxLocator
    private let observer: Observer
    private let path: String
    private var problem: String?
    private var saved: JukeboxFile?
    /// The queue of the current revision.
    private var trackIDs: [Int] = []
    private var opening: Task<Void, Never>?
    private var lastCommand: Task<Void, Never>?
    private var background: [Task<Void, Never>] = []

    /// Creates a jukebox that plays nothing yet; ``open()`` restores its queue.
    /// - Parameter path: the file that keeps the queue.
    package init(_ settings: JukeboxSettings, library: Library, path: String, observer: Observer) {
        role = settings.role
        output = settings.output.description
        self.library = library
        self.observer = observer
        self.path = path
        sink = settings.output.sink()
        locator = JukeboxLocator(path: library.path)
        engine = PlaybackEngine(
            sink: sink, transport: CurlTransport(userAgent: "audio-companion"),
            configuration: settings.playback, planner: JukeboxPlanner(plan: library.plan), locator: locator)
    }

    /// Restores the queue of the last run, paused. Later calls wait until the first has done so.
    package func open() async {
        if opening == nil { opening = Task { await restore() } }
        await opening?.value
    }

    /// Ends playback and keeps the queue with the position.
    package func close() async {
        await open()
        for task in background { task.cancel() }
        background = []
        await save()
        (sink as? PipeSink)?.end()
        await engine.shutDown()
    }

    /// Returns the state.
    package func report() async -> JukeboxReport {
        await open()
        let now = await engine.snapshot()
        return JukeboxReport(
            output: output, isPlaying: now.state.isOn, index: now.index,
            positionSeconds: (now.positionSeconds * 1000).rounded() / 1000,
            durationSeconds: now.durationSeconds, volume: now.volume,
            trackIDs: now.queue.compactMap(\.trackID), revision: revision, problem: problem(now.state))
    }

    /// The tracks of the queue, as they were when they were added.
    package func tracks() async -> [TrackItem] {
        await open()
        return await engine.snapshot().queue.compactMap { $0.trackID.flatMap { known[$0] } }
    }

    private func problem(_ state: PlayerState) -> String? {
        if state.isOn, let pipe = sink as? PipeSink, pipe.isStalled {
            return "Nothing reads \(output); playback continues when a program does."
        }
        return problem
    }

    /// Runs a command after those before it, then saves the state and reports the change.
    func command<Value: Sendable>(
        _ body: @escaping @Sendable (isolated Jukebox) async throws -> Value
    ) async throws -> Value {
        await open()
        let before = lastCommand
        let task = Task { () -> Value in
            await before?.value
            return try await body(self)
        }
        lastCommand = Task { _ = try? await task.value }
        let value = try await task.value
        await save()
        observer.changed()
        return value
    }

    /// The items of tracks.
    /// - Throws: `JukeboxError` if one does not exist, or the queue gets too long.
    func items(_ ids: [Int], besides count: Int = 0) throws -> [PlayableItem] {
        guard ids.count + count <= CatalogueLimits.playlistEntries else {
            throw JukeboxError(
                .tooManyTracks, "The queue can have at most \(CatalogueLimits.playlistEntries) tracks.")
        }
        let found = try library.tracks(ids)
        for track in found { known[track.id] = track }
        return try ids.map { id in
            guard let track = known[id] else {
                throw JukeboxError(.noSuchTrack, "There is no track \(id).")
            }
            return PlayableItem(track, at: .file(path: ""))
        }
    }

    // MARK: - Restarts

    private func restore() async {
        follow()
        do {
            guard let file = try JukeboxFile.read(path), file.libraryID == library.id else { return }
            await engine.setVolume(file.volume)
            let present = Set(try library.tracks(file.trackIDs).map(\.id))
            let kept = file.trackIDs.enumerated().filter { present.contains($0.element) }
            guard !kept.isEmpty else { return }
            let place = kept.firstIndex { $0.offset >= file.index ?? 0 }
            let isSame = place.map { kept[$0].offset == file.index } ?? false
            await engine.prepare(
                try items(kept.map(\.element)), startingAt: place ?? 0,
                from: isSame ? file.positionSeconds : 0)
        } catch {
            observer.report("the queue of the jukebox cannot be read from \(path): \(error)")
        }
    }

    private func save() async {
        let now = await engine.snapshot()
        let file = JukeboxFile(
            libraryID: library.id, trackIDs: now.queue.compactMap(\.trackID), index: now.index,
            positionSeconds: now.positionSeconds, volume: now.volume)
        guard file != saved else { return }
        if file.trackIDs != trackIDs {
            trackIDs = file.trackIDs
            revision += 1
        }
        do {
            try file.write(path)
            saved = file
        } catch {
            observer.report("the queue of the jukebox cannot be written to \(path): \(error)")
        }
    }

    // MARK: - Events

    private func follow() {
        let events = engine.events()
        background = [
            Task { [weak self] in
                for await event in events { await self?.note(event) }
            },
            Task { [weak self] in
                while (try? await Task.sleep(for: .seconds(Self.saveSeconds))) != nil {
                    await self?.save()
                }
            },
        ]
    }

    private func note(_ event: PlaybackEvent) async {
        switch event {
        case .itemStarted(let item, _):
            problem = nil
            if let id = item.trackID { observer.heard(id, accountID, false) }
        case .itemEnded(let item, let isComplete):
            if isComplete, let id = item.trackID { observer.heard(id, accountID, true) }
            return
        case .failed(let item, let error):
            let reason = locator.failure(ofTrack: item.trackID) ?? error.description
            problem = "“\(item.title)” cannot be played: \(reason)"
            observer.report("jukebox: \(item.trackID.map { "track \($0)" } ?? item.title): \(reason)")
        case .stateChanged: break
        default: return
        }
        await save()
        observer.changed()
    }
}

extension PlayerState {
    /// Whether it plays, or is about to.
    var isOn: Bool {
        switch self {
        case .starting, .waitingForData, .waitingForOutput, .playing, .buffering, .stopping(.temporary): true
        case .initialized, .paused, .stopping, .stopped: false
        }
    }
}
