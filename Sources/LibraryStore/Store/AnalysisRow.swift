internal import Analyzer
internal import Foundation
internal import SQLiteDatabase

/// Converts between rows of `analyses` with `analysis_details` and `TrackAnalysis` (without its spectra).
enum AnalysisRow {
    /// Joins for queries that read analyses together with tracks.
    static let joins = """
        LEFT JOIN analyses ON analyses.audio_hash = tracks.audio_hash
        LEFT JOIN analysis_details ON analysis_details.audio_hash = analyses.audio_hash
        """

    /// Columns of `analysis_details` that are empty in a slim copy of the library: all but the key. NULL in
    /// any of them is read as empty.
    static let largeColumns: Set<String> = [
        "frame_index", "beats", "waveform_sample_rate_hz", "waveform_samples_per_pixel", "waveform",
        "gating_blocks", "short_term_blocks", "momentary_loudness",
    ]

    static func save(_ analysis: TrackAnalysis, now: Date, _ database: Database) throws {
        var columns = ColumnValues()
        columns["audio_hash"] = analysis.audioHash.bytes
        columns["analyzer_version"] = analysis.version
        columns["analyzed_at_ms"] = now.storedMilliseconds
        set(analysis.stream, in: &columns)
        var details = ColumnValues()
        details["audio_hash"] = analysis.audioHash.bytes
        details["frame_index"] = analysis.stream.frameIndex
        // A pass for spectra only does not contain a profile and keeps the existing one.
        if let profile = analysis.profile {
            columns["profile_version"] = analysis.version
            set(profile, in: &columns)
            details["beats"] = profile.tempo.map { BeatCoding.encode($0.beatSeconds) }
            details["waveform_sample_rate_hz"] = profile.waveform.sampleRateHz
            details["waveform_samples_per_pixel"] = profile.waveform.samplesPerPixel
            details["waveform"] = profile.waveform.extremes.map { UInt8(bitPattern: $0) }
            details["gating_blocks"] = profile.loudness.gatingBlocks.encoded
            details["short_term_blocks"] = profile.loudness.shortTermBlocks.encoded
            details["momentary_loudness"] = profile.loudness.momentary.values
        }
        try columns.upsert(into: "analyses", key: "audio_hash", database)
        try details.upsert(into: "analysis_details", key: "audio_hash", database)
    }

    /// The analysis in a row; nil if the row has none.
    static func analysis(_ row: borrowing Row) throws -> TrackAnalysis? {
        guard let version: Int = try row["analyzer_version"] else { return nil }
        let profileVersion: Int? = try row["profile_version"]
        return TrackAnalysis(
            audioHash: try TrackRow.hash(row["audio_hash"]), version: profileVersion ?? version,
            stream: try stream(row), profile: profileVersion == nil ? nil : try profile(row), frames: nil)
    }

    private static func set(_ stream: StreamDescription, in columns: inout ColumnValues) {
        columns["mpeg_version"] = stream.mpegVersion
        columns["sample_rate_hz"] = stream.sampleRateHz
        columns["channels"] = stream.channels
        columns["bit_rate_mode"] = stream.bitRateMode
        columns["average_bit_rate_bps"] = stream.averageBitRate
        columns["frame_count"] = stream.frameCount
        columns["samples_per_frame"] = stream.samplesPerFrame
        columns["encoder_delay_samples"] = stream.encoderDelaySamples
        columns["encoder_padding_samples"] = stream.encoderPaddingSamples
        columns["decoded_sample_count"] = stream.decodedSampleCount
        columns["sample_count"] = stream.sampleCount
        columns["duration_seconds"] = stream.durationSeconds
        columns["skipped_bytes"] = stream.skippedBytes
        columns["resync_count"] = stream.resyncCount
        columns["damaged_frame_count"] = stream.damagedFrameCount
        columns["remarks"] = stream.remarks.map { $0.replacing("\n", with: " ") }.joined(separator: "\n")
    }

    private static func stream(_ row: borrowing Row) throws -> StreamDescription {
        let remarks: String = try row["remarks"]
        return StreamDescription(
            mpegVersion: try row["mpeg_version"], sampleRateHz: try row["sample_rate_hz"],
            channels: try row["channels"], bitRateMode: try row["bit_rate_mode"],
            averageBitRate: try row["average_bit_rate_bps"], frameCount: try row["frame_count"],
            samplesPerFrame: try row["samples_per_frame"],
            encoderDelaySamples: try row["encoder_delay_samples"],
            encoderPaddingSamples: try row["encoder_padding_samples"],
            decodedSampleCount: try row["decoded_sample_count"], sampleCount: try row["sample_count"],
            durationSeconds: try row["duration_seconds"], frameIndex: try row["frame_index"],
            skippedBytes: try row["skipped_bytes"], resyncCount: try row["resync_count"],
            damagedFrameCount: try row["damaged_frame_count"],
            remarks: remarks.split(separator: "\n").map(String.init))
    }

    private static func set(_ profile: TrackProfile, in columns: inout ColumnValues) {
        set(profile.loudness, in: &columns)
        columns["silence_start_seconds"] = profile.silence.leadingEndSeconds
        columns["silence_end_seconds"] = profile.silence.trailingStartSeconds
        columns["is_silent"] = profile.silence.isSilent
        set(profile.cue, in: &columns)
        columns["bpm"] = profile.tempo?.bpm
        columns["bpm_confidence"] = profile.tempo?.confidence
        columns["beat_confidence"] = profile.tempo?.beatConfidence
        columns["first_beat_seconds"] = profile.tempo?.firstBeatSeconds
        columns["key_tonic"] = profile.key?.tonic
        columns["key_mode"] = profile.key?.mode.rawValue
        columns["key_confidence"] = profile.key?.confidence
        columns["tuning_cents"] = profile.key?.tuningCents
    }

    private static func profile(_ row: borrowing Row) throws -> TrackProfile {
        TrackProfile(
            loudness: try loudness(row),
            silence: SilenceBounds(
                leadingEndSeconds: try row["silence_start_seconds"],
                trailingStartSeconds: try row["silence_end_seconds"], isSilent: try row["is_silent"]),
            cue: try cue(row), tempo: try tempo(row), key: try key(row), waveform: try waveform(row))
    }

    private static func set(_ loudness: LoudnessMeasurement, in columns: inout ColumnValues) {
        columns["integrated_lufs"] = loudness.integratedLUFS
        columns["loudness_range_lu"] = loudness.loudnessRangeLU
        columns["max_momentary_lufs"] = loudness.maxMomentaryLUFS
        columns["max_short_term_lufs"] = loudness.maxShortTermLUFS
        columns["sample_peak"] = loudness.samplePeak
        columns["sample_peak_dbfs"] = loudness.samplePeakDBFS
        columns["true_peak"] = loudness.truePeak
        columns["true_peak_dbtp"] = loudness.truePeakDBTP
    }

    static func loudness(_ row: borrowing Row) throws -> LoudnessMeasurement {
        let gatingBlocks: [UInt8]? = try row["gating_blocks"]
        let shortTermBlocks: [UInt8]? = try row["short_term_blocks"]
        return LoudnessMeasurement(
            integratedLUFS: try row["integrated_lufs"], loudnessRangeLU: try row["loudness_range_lu"],
            maxMomentaryLUFS: try row["max_momentary_lufs"],
            maxShortTermLUFS: try row["max_short_term_lufs"], samplePeak: try row["sample_peak"],
            truePeak: try row["true_peak"],
            gatingBlocks: try gatingBlocks.map { try sound("gating_blocks", EnergyHistogram(encoded: $0)) }
                ?? EnergyHistogram(),
            shortTermBlocks: try shortTermBlocks.map {
                try sound("short_term_blocks", EnergyHistogram(encoded: $0))
            } ?? EnergyHistogram(),
            momentary: MomentaryCurve(values: try row["momentary_loudness"] ?? []))
    }

    private static func set(_ cue: CuePoints, in columns: inout ColumnValues) {
        columns["cue_in_seconds"] = cue.cueInSeconds
        columns["cue_out_seconds"] = cue.cueOutSeconds
        columns["fade_in_end_seconds"] = cue.fadeInEndSeconds
        columns["fade_out_start_seconds"] = cue.fadeOutStartSeconds
        columns["start_next_seconds"] = cue.startNextSeconds
        columns["ending"] = cue.ending.rawValue
        columns["cue_in_confidence"] = cue.cueInConfidence
        columns["cue_out_confidence"] = cue.cueOutConfidence
        columns["start_next_confidence"] = cue.startNextConfidence
        columns["inner_silence_start_seconds"] = cue.innerSilence?.startSeconds
        columns["inner_silence_end_seconds"] = cue.innerSilence?.endSeconds
        columns["start_ramp"] = RampCoding.encode(cue.startRamp)
        columns["end_ramp"] = RampCoding.encode(cue.endRamp)
    }

    private static func cue(_ row: borrowing Row) throws -> CuePoints {
        var innerSilence: CuePoints.InnerSilence?
        if let start: Double = try row["inner_silence_start_seconds"] {
            innerSilence = CuePoints.InnerSilence(
                startSeconds: start, endSeconds: try row["inner_silence_end_seconds"])
        }
        return CuePoints(
            cueInSeconds: try row["cue_in_seconds"], cueOutSeconds: try row["cue_out_seconds"],
            fadeInEndSeconds: try row["fade_in_end_seconds"],
            fadeOutStartSeconds: try row["fade_out_start_seconds"],
            startNextSeconds: try row["start_next_seconds"],
            ending: try sound("ending", CuePoints.Ending(rawValue: try row["ending"])),
            cueInConfidence: try row["cue_in_confidence"], cueOutConfidence: try row["cue_out_confidence"],
            startNextConfidence: try row["start_next_confidence"], innerSilence: innerSilence,
            startRamp: try sound("start_ramp", RampCoding.decode(try row["start_ramp"])),
            endRamp: try sound("end_ramp", RampCoding.decode(try row["end_ramp"])))
    }

    private static func tempo(_ row: borrowing Row) throws -> Tempo? {
        guard let bpm: Double = try row["bpm"] else { return nil }
        let beats: [UInt8]? = try row["beats"]
        return Tempo(
            bpm: bpm, confidence: try row["bpm_confidence"], beatConfidence: try row["beat_confidence"],
            firstBeatSeconds: try row["first_beat_seconds"],
            beatSeconds: try beats.map { try sound("beats", BeatCoding.decode($0)) } ?? [])
    }

    private static func key(_ row: borrowing Row) throws -> MusicalKey? {
        guard let tonic: Int = try row["key_tonic"] else { return nil }
        guard (0..<12).contains(tonic) else {
            throw StoreError(.damagedRow, "an analysis has an invalid key_tonic")
        }
        return MusicalKey(
            tonic: tonic, mode: try sound("key_mode", MusicalKey.Mode(rawValue: try row["key_mode"])),
            confidence: try row["key_confidence"], tuningCents: try row["tuning_cents"])
    }

    private static func waveform(_ row: borrowing Row) throws -> WaveformOverview {
        let extremes: [UInt8] = try row["waveform"] ?? []
        return WaveformOverview(
            sampleRateHz: try row["waveform_sample_rate_hz"] ?? 0,
            samplesPerPixel: try row["waveform_samples_per_pixel"] ?? 0,
            extremes: extremes.map { Int8(bitPattern: $0) })
    }

    private static func sound<Value>(_ column: String, _ value: Value?) throws(StoreError) -> Value {
        guard let value else { throw StoreError(.damagedRow, "an analysis has an invalid \(column)") }
        return value
    }
}
