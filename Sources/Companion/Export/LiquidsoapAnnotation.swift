internal import Analyzer
internal import Foundation
package import LibraryStore

/// A track as a Liquidsoap request with the metadata of its autocue protocol: `annotate:liq_cue_in="…",…:URI`.
///
/// The fields are those of autocue's `cue_file`: times in seconds, loudness as text with its unit.
package struct LiquidsoapAnnotation: Sendable, CustomStringConvertible {
    /// Name and value of each field, in order.
    package let fields: [(name: String, value: String)]
    /// The URI of the file for Liquidsoap: the bytes of a path, which need not be UTF-8.
    package let uri: [UInt8]

    /// Describes a track; nil if it has no profile, or if it is a part of a file and its start is not known.
    ///
    /// The cue points of a track of a cue sheet are those in its file, whose length is not stated.
    /// - Parameters:
    ///   - uri: the URI of the file for Liquidsoap.
    ///   - skipsBlank: whether to end the track where a long silence inside it begins, so that a hidden track
    ///     is not played.
    package init?(_ analysed: AnalysedTrack, uri: [UInt8], skipsBlank: Bool = false) {
        guard let analysis = analysed.analysis, let profile = analysis.profile,
            let start = Self.startSeconds(analysed.track, sampleRateHz: analysis.stream.sampleRateHz)
        else { return nil }
        let cue = profile.cue
        let inner = skipsBlank ? cue.innerSilence : nil
        let cueOut = inner?.startSeconds ?? cue.cueOutSeconds
        var fields: [(String, String)] = []
        func number(_ name: String, _ value: Double, digits: Int = 3) {
            fields.append((name, Self.decimal(value, digits: digits)))
        }
        func level(_ name: String, _ value: Double, _ unit: String) {
            fields.append((name, Self.decimal(value, digits: 2) + " " + unit))
        }
        if analysed.track.part == nil { number("duration", analysis.stream.durationSeconds) }
        number("liq_cue_duration", cueOut - cue.cueInSeconds)
        number("liq_cue_in", start + cue.cueInSeconds)
        number("liq_cue_out", start + cueOut)
        number("liq_cross_start_next", start + min(cueOut, cue.startNextSeconds))
        fields.append(("liq_longtail", "\(cue.ending == .longTail)"))
        fields.append(("liq_sustained_ending", "\(cue.ending == .sustained)"))
        number("liq_blankskip", skipsBlank ? CuePoints.InnerSilence.minimumSeconds : 0)
        fields.append(("liq_blank_skipped", "\(inner != nil)"))
        if let integrated = profile.loudness.integratedLUFS, let gain = profile.loudness.replayGainDB {
            level("liq_loudness", integrated, "LUFS")
            level("liq_loudness_range", profile.loudness.loudnessRangeLU, "LU")
            level("liq_amplify", gain, "dB")
            level("liq_reference_loudness", LoudnessMeasurement.replayGainReferenceLUFS, "LUFS")
        }
        number("liq_true_peak", profile.loudness.truePeak, digits: 6)
        if let truePeak = profile.loudness.truePeakDBTP { level("liq_true_peak_db", truePeak, "dBFS") }
        self.fields = fields.map { (name: $0.0, value: $0.1) }
        self.uri = uri
    }

    /// Where a track starts in its file; nil if that is not known.
    private static func startSeconds(_ track: CatalogueTrack, sampleRateHz: Int) -> Double? {
        guard let part = track.part else { return 0 }
        return part.startSample.map { Double($0) / Double(sampleRateHz) }
    }

    /// The fields as printed by autocue's `cue_file`: seconds and factors as numbers, flags, and levels as
    /// text with their unit.
    var values: [String: Value] {
        Dictionary(uniqueKeysWithValues: fields.map { ($0.name, Value($0.value)) })
    }

    /// A field's value as JSON.
    enum Value: Encodable {
        case number(Double)
        case flag(Bool)
        case text(String)

        fileprivate init(_ text: String) {
            self = Double(text).map { .number($0) } ?? Bool(text).map { .flag($0) } ?? .text(text)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .flag(let flag): try container.encode(flag)
            case .text(let text): try container.encode(text)
            }
        }
    }

    /// The request, byte for byte.
    package var bytes: [UInt8] {
        // The values are numbers, units and flags: none of these contains a quote.
        Array(("annotate:" + fields.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",") + ":").utf8)
            + uri
    }

    /// Whether the request fits in a list with one request per line, that is, its path has no line break.
    package var fitsOnOneLine: Bool { !uri.contains { $0 == 0x0A || $0 == 0x0D } }

    /// The request as text for display.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    private static func decimal(_ value: Double, digits: Int) -> String {
        String(format: "%.\(digits)f", locale: Locale(identifier: "en_US_POSIX"), value)
    }
}
