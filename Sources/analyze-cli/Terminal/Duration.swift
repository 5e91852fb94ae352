/// Formats durations for display.
enum Duration {
    /// Returns "4:03" or "1:02:03".
    static func clock(_ seconds: Double) -> String {
        let total = Int(max(0, seconds).rounded())
        let minutes = total / 60 % 60
        let rest = total % 60
        let padded = rest < 10 ? "0\(rest)" : "\(rest)"
        guard total >= 3600 else { return "\(minutes):\(padded)" }
        return "\(total / 3600):" + (minutes < 10 ? "0\(minutes)" : "\(minutes)") + ":\(padded)"
    }
}
