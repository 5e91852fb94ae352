internal import Foundation

/// Changes to the ReplayGain values of a track.
///
/// The text format is that of rsgain and loudgain: gains with two decimals ("-7.03 dB"), peaks with six ("0.987654").
package struct ReplayGainEdit: Sendable, Hashable {
    /// A gain as stored in tags.
    package struct Gain: Sendable, Hashable {
        /// Hundredths of a decibel.
        package let hundredths: Int

        /// Rounds a gain in dB; returns nil if it is outside ±200 dB or not finite.
        package init?(dB: Double) {
            guard dB.isFinite, abs(dB) <= 200 else { return nil }
            hundredths = Int((dB * 100).rounded(.toNearestOrEven))
        }

        /// The stored value in dB.
        package var dB: Double { Double(hundredths) / 100 }

        /// Tag text, such as "-7.03 dB".
        package var text: String {
            let digits = String(format: "%02d", abs(hundredths) % 100)
            return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(digits) dB"
        }
    }

    /// A peak as stored in tags; 1.0 is full scale.
    package struct Peak: Sendable, Hashable {
        /// Millionths of full scale.
        package let millionths: Int

        /// Rounds a peak; returns nil if it is negative, above 1,000 or not finite.
        package init?(_ peak: Double) {
            guard peak.isFinite, (0...1_000).contains(peak) else { return nil }
            millionths = Int((peak * 1e6).rounded(.toNearestOrEven))
        }

        /// The stored value.
        package var value: Double { Double(millionths) / 1e6 }

        /// Tag text, such as "0.987654".
        package var text: String {
            "\(millionths / 1_000_000)." + String(format: "%06d", millionths % 1_000_000)
        }
    }

    /// Gain of the track.
    package var trackGain: TagChange<Gain> = .leave
    /// Peak of the track.
    package var trackPeak: TagChange<Peak> = .leave
    /// Gain of the album.
    package var albumGain: TagChange<Gain> = .leave
    /// Peak of the album.
    package var albumPeak: TagChange<Peak> = .leave

    /// Creates an edit that changes nothing.
    package init() {}

    /// Returns the tags after the edit.
    package func applied(to tags: ReplayGainTags) -> ReplayGainTags {
        func value<Value>(_ change: TagChange<Value>, _ old: Double?, _ read: (Value) -> Double) -> Double? {
            switch change {
            case .leave: old
            case .set(let new): read(new)
            case .remove: nil
            }
        }
        return ReplayGainTags(
            trackGainDB: value(trackGain, tags.trackGainDB, \.dB),
            trackPeak: value(trackPeak, tags.trackPeak, \.value),
            albumGainDB: value(albumGain, tags.albumGainDB, \.dB),
            albumPeak: value(albumPeak, tags.albumPeak, \.value))
    }

    /// Returns the first field in which two sets of values differ.
    static func firstDifference(_ a: ReplayGainTags, _ b: ReplayGainTags) -> TagField? {
        if a.trackGainDB != b.trackGainDB { return .replayGainTrackGain }
        if a.trackPeak != b.trackPeak { return .replayGainTrackPeak }
        if a.albumGainDB != b.albumGainDB { return .replayGainAlbumGain }
        return a.albumPeak != b.albumPeak ? .replayGainAlbumPeak : nil
    }
}

extension TagChange<ReplayGainEdit.Gain> {
    /// Text to write; nil if nothing is written.
    var text: String? { if case .set(let gain) = self { gain.text } else { nil } }
}

extension TagChange<ReplayGainEdit.Peak> {
    /// Text to write; nil if nothing is written.
    var text: String? { if case .set(let peak) = self { peak.text } else { nil } }
}
