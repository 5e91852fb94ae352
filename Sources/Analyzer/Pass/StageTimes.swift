internal import Synchronization

/// Where the time of a pass goes: seconds that its threads spent in each stage, added up over all files.
public final class StageTimes: Sendable {
    /// What an analysis consists of.
    public enum Stage: Int, CaseIterable, Sendable {
        /// Finding tags and frames, and hashing the audio.
        case scan
        /// libmpg123, and sorting its samples into channels.
        case decode
        /// K-weighting, gating blocks and true peak.
        case loudness
        case silence
        case waveform
        /// Decimation, spectra of the low rate and their tones.
        case key
        /// Windows and transforms that frames and tempo share.
        case spectra
        case frames
        /// Comparing spectra for onsets.
        case onsets
        /// All that is found at a track's end: tempo and beats, cue points, key.
        case conclusions
        case tags
        /// Writing into the databases.
        case store
    }

    private let totals = Mutex<[UInt64]>([UInt64](repeating: 0, count: Stage.allCases.count))

    /// Nothing yet.
    public init() {}

    /// Seconds of each stage, in the order of the work.
    public var seconds: [(stage: Stage, seconds: Double)] {
        zip(Stage.allCases, totals.withLock(\.self)).map { ($0, Double($1) / 1e9) }
    }

    /// Runs a piece of work and adds its time.
    public func measure<Value, Failure: Error>(_ stage: Stage, _ body: () throws(Failure) -> Value)
        throws(Failure)
        -> Value
    {
        let timer = StageTimer(stage, into: self)
        defer { timer.end() }
        return try body()
    }

    func add(_ nanoseconds: [UInt64]) {
        totals.withLock { totals in
            for stage in totals.indices { totals[stage] += nanoseconds[stage] }
        }
    }
}
