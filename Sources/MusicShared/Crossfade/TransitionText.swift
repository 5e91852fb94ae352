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
}
