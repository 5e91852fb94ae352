internal import Foundation

/// Words for people about transitions.
enum TransitionText {
    /// Returns "7.7 s".
    static func seconds(_ value: Double) -> String { String(format: "%.1f s", value) }

    /// Returns "3:12.4".
    static func clock(_ value: Double) -> String {
        let tenths = Int((max(0, min(value, 1e9)) * 10).rounded())
        return String(format: "%d:%02d.%d", tenths / 600, tenths / 10 % 60, tenths % 10)
    }

    /// Returns a change of speed, "2.1 % faster"; "at its own speed" below 0.05 %.
    static func speed(_ ratio: Double) -> String {
        let percent = abs(ratio - 1) * 100
        guard percent >= 0.05 else { return "at its own speed" }
        return String(format: "%.1f %% %@", percent, ratio > 1 ? "faster" : "slower")
    }

    /// Returns the relation of two keys, "8A → 9A, adjacent keys".
    static func keys(_ match: CrossfadePlan.KeyMatch?) -> String {
        guard let match else { return "keys unknown" }
        let relation =
            switch match.relation {
            case .same: "same key"
            case .relative: "relative keys"
            case .adjacent: "adjacent keys"
            case .distant: "distant keys"
            }
        return "\(match.outgoing) → \(match.incoming), \(relation)"
    }

    /// Returns the change of the tempo, "the tempo rises by 1.6 % (124 → 126 BPM)".
    static func tempo(_ one: Double?, _ next: Double?) -> String {
        guard let one, let next, one > 0, next > 0 else { return "tempo unknown" }
        let octaves = log2(next / one)
        let percent = (exp2(octaves - octaves.rounded()) - 1) * 100
        let change =
            abs(percent) < 0.05
            ? "the tempo stays"
            : String(format: "the tempo %@ by %.1f %%", percent > 0 ? "rises" : "falls", abs(percent))
        let multiple =
            switch octaves.rounded() {
            case 0: ""
            case 1...: ", double time"
            default: ", half time"
            }
        return change + String(format: " (%.0f → %.0f BPM%@)", one, next, multiple)
    }

    /// Returns the change of the loudness, "1.2 LU louder".
    static func level(_ one: Double?, _ next: Double?) -> String {
        guard let one, let next else { return "loudness unknown" }
        guard abs(next - one) >= 0.05 else { return "equally loud" }
        return String(format: "%.1f LU %@", abs(next - one), next > one ? "louder" : "quieter")
    }

    /// Returns the change of the energy, "energy 0.41 → 0.52".
    static func energy(_ one: Double?, _ next: Double?) -> String {
        guard let one, let next else { return "energy unknown" }
        return String(format: "energy %.2f → %.2f", one, next)
    }
}
