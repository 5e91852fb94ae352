internal import MusicalStructure
internal import Analyzer
internal import Foundation
internal import MPEGAudio
internal import MusicShared

/// A track's properties as session data of a master playlist, so that players need no second request.
struct SessionFacts {
    /// Prefix of the data IDs; the rest is the key used in the JSON report.
    static let namespace = "org.audiocompanion."

    let data: [HLSManifestGenerator.SessionData]

    /// - Parameter cut: The part of the track's own stream that is streamed. All other values describe the whole original
    ///   track, and times are relative to its start.
    init(_ track: StreamedTrack, _ cut: StreamCut) {
        let stream = track.segmentedStream
        var facts: [(String, Double?)] = [
            ("encoder_delay_samples", Double(stream.encoderDelaySamples)),
            ("encoder_padding_samples", Double(stream.encoderPaddingSamples)),
            ("sample_count", Double(stream.sampleCount)),
            ("duration_seconds", stream.durationSeconds),
        ]
        if track.isConverted {
            facts += [
                ("converted_encoder_delay_samples", Double(track.stream.encoderDelaySamples)),
                ("converted_encoder_padding_samples", Double(track.stream.encoderPaddingSamples)),
                ("converted_sample_count", Double(track.stream.sampleCount)),
            ]
        }
        if let frames = cut.frames {
            let lead = Double(stream.headTrimSamples) / Double(stream.sampleRateHz)
            let timed: any TimedFrames = if let frames = track.fragmented { frames } else { track.index }
            facts += [
                ("stream_start_seconds", timed.startSeconds(ofFrame: frames.lowerBound) - lead),
                ("stream_end_seconds", timed.startSeconds(ofFrame: frames.upperBound) - lead),
            ]
        }
        if cut.gain.steps != 0 { facts.append(("applied_gain_db", cut.gain.decibels)) }
        if cut.fadeFrameCount != 0 {
            let perFrame = Double(stream.samplesPerFrame) / Double(stream.sampleRateHz)
            facts.append(("fade_out_seconds", Double(cut.fadeFrameCount) * perFrame))
        }
        if let profile = track.profile {
            facts += [
                ("integrated_lufs", profile.loudness.integratedLUFS),
                ("loudness_range_lu", profile.loudness.loudnessRangeLU),
                ("sample_peak_dbfs", profile.loudness.samplePeakDBFS),
                ("true_peak_dbtp", profile.loudness.truePeakDBTP),
                ("replay_gain_db", profile.loudness.replayGainDB),
                ("bpm", profile.tempo?.bpm),
                ("first_beat_seconds", profile.tempo?.firstBeatSeconds),
                ("silence_start_seconds", profile.silence.leadingEndSeconds),
                ("silence_end_seconds", profile.silence.trailingStartSeconds),
                ("cue_in_seconds", profile.cue.cueInSeconds),
                ("cue_out_seconds", profile.cue.cueOutSeconds),
                ("fade_in_end_seconds", profile.cue.fadeInEndSeconds),
                ("fade_out_start_seconds", profile.cue.fadeOutStartSeconds),
                ("start_next_seconds", profile.cue.startNextSeconds),
            ]
        }
        var data = facts.compactMap { name, value in
            value.map { HLSManifestGenerator.SessionData(id: Self.namespace + name, value: Self.decimal($0)) }
        }
        if let profile = track.profile {
            data.append(.init(id: Self.namespace + "ending", value: profile.cue.ending.rawValue))
            if let key = profile.key { data.append(.init(id: Self.namespace + "key", value: key.name)) }
        }
        self.data = data
    }

    private static func decimal(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15
            ? "\(Int(value))" : "\((value * 1_000_000).rounded() / 1_000_000)"
    }
}
