internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import RadioRelay
internal import Synchronization
internal import Threads

/// The recordings of stations in progress, at most one for each station.
final class StationRecordings: Sendable {
    private let intake: MusicIntake
    private let listening: ListeningStore
    private let log: (@Sendable (String) -> Void)?
    private let active = Mutex<[Int: StationRecording]>([:])

    /// - Parameter log: receives a line for each start and end.
    init(intake: MusicIntake, listening: ListeningStore, log: (@Sendable (String) -> Void)?) {
        self.intake = intake
        self.listening = listening
        self.log = log
    }

    /// The recording of a station; nil if it is not being recorded.
    func state(ofStation id: Int) -> StationRecordingState? { states.first { $0.stationID == id } }

    /// All recordings in progress.
    var states: [StationRecordingState] {
        active.withLock { active in
            active = active.filter { !$0.value.isEnding }
            return active.values.map(\.report).sorted { $0.startedAt < $1.startedAt }
        }
    }

    /// Starts recording a station, unless it is being recorded already.
    /// - Returns: the recording; nil if the relay has ended.
    func start(_ station: RadioStation, relay: StationRelay) -> StationRecordingState? {
        active.withLock { active in
            if let known = active[station.id], !known.isEnding { return known.report }
            let recording = StationRecording(station, intake: intake, listening: listening)
            // The last one may have ended by itself.
            if active[station.id] != nil { relay.endListener() }
            guard relay.start(recording) else { return nil }
            guard DedicatedThread.start("recording", { recording.run() }) else {
                relay.endListener()
                return nil
            }
            active[station.id] = recording
            log?("recording of the radio station \(station.name) started")
            return recording.report
        }
    }

    /// Ends the recording of a station.
    /// - Returns: whether it was being recorded.
    func stop(stationID: Int, relay: StationRelay?) -> Bool {
        guard let recording = active.withLock({ $0.removeValue(forKey: stationID) }) else { return false }
        relay?.endListener()
        recording.relayEnded()
        log?("recording of the radio station \(recording.station.name) ended")
        return true
    }

    /// Ends all recordings, and waits until their files are in the library.
    func stopAll(withinSeconds seconds: Double) {
        let all = active.withLock { active in
            defer { active = [:] }
            return Array(active.values)
        }
        for recording in all { recording.relayEnded() }
        for recording in all { recording.waitForEnd(seconds: seconds) }
    }
}
