internal import MusicalStructure
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
        "gating_blocks", "short_term_blocks", "momentary_loudness", "fingerprint",
    ]

    static func save(_ analysis: TrackAnalysis, now: Date, _ database: Database) throws {
        var columns = ColumnValues()
        columns["audio_hash"] = analysis.audioHash.bytes
        columns["analyzer_version"] = analysis.version
        columns["analyzed_at_ms"] = now.storedMilliseconds
        for field in TrackField.stored where field.column?.isOfProfile == false {
            columns[field.key] = field.column?.stored(analysis)
        }
        columns["remarks"] = analysis.stream.remarks.map { $0.replacing("\n", with: " ") }
            .joined(separator: "\n")
        var details = ColumnValues()
        details["audio_hash"] = analysis.audioHash.bytes
        details["frame_index"] = analysis.stream.frameIndex
        // A pass for spectra only does not contain a profile and keeps the existing one.
        if let profile = analysis.profile {
            columns["profile_version"] = analysis.version
            for field in TrackField.stored where field.column?.isOfProfile == true {
                columns[field.key] = field.column?.stored(analysis)
            }
            columns["start_ramp"] = RampCoding.encode(profile.cue.startRamp)
            columns["end_ramp"] = RampCoding.encode(profile.cue.endRamp)
            details["beats"] = profile.tempo.map { BeatCoding.encode($0.beatSeconds) }
            details["waveform_sample_rate_hz"] = profile.waveform.sampleRateHz
            details["waveform_samples_per_pixel"] = profile.waveform.samplesPerPixel
            details["waveform"] = profile.waveform.extremes.map { UInt8(bitPattern: $0) }
            details["gating_blocks"] = profile.loudness.gatingBlocks.encoded
            details["short_term_blocks"] = profile.loudness.shortTermBlocks.encoded
            details["momentary_loudness"] = profile.loudness.momentary.values
            details["fingerprint"] = profile.fingerprint?.bytes
        }
        try columns.upsert(into: "analyses", key: "audio_hash", database)
        try details.upsert(into: "analysis_details", key: "audio_hash", database)
    }

    /// The analysis in a row; nil if the row has none.
    static func analysis(_ row: borrowing Row) throws -> TrackAnalysis? {
        guard let version: Int = try row["analyzer_version"] else { return nil }
        let profileVersion: Int? = try row["profile_version"]
        let remarks: String = try row["remarks"]
        var stream = StreamDescription.blank
        stream.frameIndex = try row["frame_index"]
        stream.remarks = remarks.split(separator: "\n").map(String.init)
        var analysis = TrackAnalysis(
            audioHash: try TrackRow.hash(row["audio_hash"]), version: profileVersion ?? version,
            stream: stream, profile: profileVersion == nil ? nil : try profile(row), frames: nil)
        for field in TrackField.stored {
            guard let column = field.column, !column.isOfProfile || analysis.profile != nil else { continue }
            try column.restore?(&analysis, row)
        }
        if let tonic = analysis.profile?.key?.tonic, !(0..<12).contains(tonic) {
            throw StoreError(.damagedRow, "an analysis has an invalid key_tonic")
        }
        return analysis
    }

    /// The parts of a profile that are no fields, and blank values for the fields.
    private static func profile(_ row: borrowing Row) throws -> TrackProfile {
        TrackProfile(
            loudness: try loudnessBlocks(row),
            silence: SilenceBounds(leadingEndSeconds: 0, trailingStartSeconds: 0, isSilent: false),
            cue: try cue(row), tempo: try tempo(row), key: try key(row), waveform: try waveform(row),
            fingerprint: try fingerprint(row))
    }

    private static func loudnessBlocks(_ row: borrowing Row) throws -> LoudnessMeasurement {
        let gatingBlocks: [UInt8]? = try row["gating_blocks"]
        let shortTermBlocks: [UInt8]? = try row["short_term_blocks"]
        return LoudnessMeasurement(
            integratedLUFS: nil, loudnessRangeLU: 0, maxMomentaryLUFS: nil, maxShortTermLUFS: nil,
            samplePeak: 0, truePeak: 0,
            gatingBlocks: try gatingBlocks.map { try sound("gating_blocks", EnergyHistogram(encoded: $0)) }
                ?? EnergyHistogram(),
            shortTermBlocks: try shortTermBlocks.map {
                try sound("short_term_blocks", EnergyHistogram(encoded: $0))
            } ?? EnergyHistogram(),
            momentary: MomentaryCurve(values: try row["momentary_loudness"] ?? []))
    }

    /// The loudness in a row that has a profile, and may lack what loudness does not need.
    static func loudness(_ row: borrowing Row) throws -> LoudnessMeasurement {
        let profile = TrackProfile(
            loudness: try loudnessBlocks(row),
            silence: SilenceBounds(leadingEndSeconds: 0, trailingStartSeconds: 0, isSilent: false),
            cue: .blank, tempo: nil, key: nil,
            waveform: WaveformOverview(sampleRateHz: 0, samplesPerPixel: 0, extremes: []))
        var analysis = TrackAnalysis(
            audioHash: try TrackRow.hash(row["audio_hash"]), stream: .blank, profile: profile, frames: nil)
        for field in TrackField.loudness { try field.column?.restore?(&analysis, row) }
        return analysis.profile?.loudness ?? profile.loudness
    }

    private static func cue(_ row: borrowing Row) throws -> CuePoints {
        let innerSilence: Double? = try row["inner_silence_start_seconds"]
        var cue = CuePoints.blank
        cue.innerSilence = innerSilence.map { _ in CuePoints.InnerSilence(startSeconds: 0, endSeconds: 0) }
        cue.startRamp = try sound("start_ramp", RampCoding.decode(try row["start_ramp"]))
        cue.endRamp = try sound("end_ramp", RampCoding.decode(try row["end_ramp"]))
        return cue
    }

    private static func tempo(_ row: borrowing Row) throws -> Tempo? {
        let bpm: Double? = try row["bpm"]
        guard bpm != nil else { return nil }
        let beats: [UInt8]? = try row["beats"]
        return Tempo(
            bpm: 0, confidence: 0, beatConfidence: nil, firstBeatSeconds: 0,
            beatSeconds: try beats.map { try sound("beats", BeatCoding.decode($0)) } ?? [])
    }

    private static func key(_ row: borrowing Row) throws -> MusicalKey? {
        let tonic: Int? = try row["key_tonic"]
        return tonic.map { _ in MusicalKey(tonic: 0, mode: .major, confidence: 0) }
    }

    /// The key in a row, without its tuning.
    static func wholeKey(_ row: borrowing Row) throws -> MusicalKey? {
        guard let tonic: Int = try row["key_tonic"] else { return nil }
        let mode: String = try row["key_mode"]
        guard (0..<12).contains(tonic), let mode = MusicalKey.Mode(rawValue: mode) else {
            throw StoreError(.damagedRow, "an analysis has an invalid key")
        }
        return MusicalKey(tonic: tonic, mode: mode, confidence: try row["key_confidence"])
    }

    private static func waveform(_ row: borrowing Row) throws -> WaveformOverview {
        let extremes: [UInt8] = try row["waveform"] ?? []
        return WaveformOverview(
            sampleRateHz: try row["waveform_sample_rate_hz"] ?? 0,
            samplesPerPixel: try row["waveform_samples_per_pixel"] ?? 0,
            extremes: extremes.map { Int8(bitPattern: $0) })
    }

    private static func fingerprint(_ row: borrowing Row) throws -> AudioFingerprint? {
        let bytes: [UInt8]? = try row["fingerprint"]
        return try bytes.map { try sound("fingerprint", AudioFingerprint(bytes: $0)) }
    }

    private static func sound<Value>(_ column: String, _ value: Value?) throws(StoreError) -> Value {
        guard let value else { throw StoreError(.damagedRow, "an analysis has an invalid \(column)") }
        return value
    }
}

extension StreamDescription {
    /// A description without values, which the fields of a row fill.
    fileprivate static var blank: StreamDescription {
        StreamDescription(
            mpegVersion: nil, sampleRateHz: 0, channels: 0, bitRateMode: "", averageBitRate: 0, frameCount: 0,
            samplesPerFrame: 0, encoderDelaySamples: 0, encoderPaddingSamples: 0, decodedSampleCount: 0,
            sampleCount: 0, durationSeconds: 0, frameIndex: [], skippedBytes: 0, resyncCount: 0, remarks: [])
    }
}

extension CuePoints {
    /// Cue points without values, which the fields of a row fill.
    fileprivate static var blank: CuePoints {
        CuePoints(
            cueInSeconds: 0, cueOutSeconds: 0, fadeInEndSeconds: 0, fadeOutStartSeconds: 0,
            startNextSeconds: 0, ending: .hard, cueInConfidence: 0, cueOutConfidence: 0,
            startNextConfidence: 0, innerSilence: nil, startRamp: [], endRamp: [])
    }
}
