internal import Synchronization

/// The time spent in each stage of a pass, in seconds, added up over all threads and files.
public final class StageTimes: Sendable {
    /// Stages of an analysis.
    public enum Stage: Int, CaseIterable, Sendable {
        /// Finding tags and frames, and hashing the audio.
        case scan
        /// libmpg123, and deinterleaving its samples.
        case decode
        /// K-weighting, gating blocks and true peak.
        case loudness
        case silence
        case waveform
        /// Decimation, low-rate spectra and their tones.
        case key
        /// Resampling, and Chromaprint.
        case fingerprint
        /// Windows and transforms shared by visualizer frames and tempo.
        case spectra
        case frames
        /// Onset detection from spectra.
        case onsets
        /// Statistics of the visualizer frames: the sonic descriptor.
        case sound
        /// Work at the end of a track: tempo and beats, cue points, key.
        case conclusions
        case tags
        /// Writing to the databases.
        case store
    }

    private let totals = Mutex<[UInt64]>([UInt64](repeating: 0, count: Stage.allCases.count))

    /// Creates empty totals.
    public init() {}

    /// Seconds per stage, in processing order.
    public var seconds: [(stage: Stage, seconds: Double)] {
        zip(Stage.allCases, totals.withLock(\.self)).map { ($0, Double($1) / 1e9) }
    }

    /// Runs a closure and adds its time to a stage.
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
