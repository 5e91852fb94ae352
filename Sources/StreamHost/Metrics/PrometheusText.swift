/// Metrics in the Prometheus text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
struct PrometheusText {
    /// Type of a metric family.
    enum Kind: String {
        case counter, gauge, histogram
    }

    /// Media type of the format.
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    typealias Labels = KeyValuePairs<String, String>

    private(set) var text = ""
    private var family = ""

    /// Begins a metric family. All its samples must follow before the next family begins.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        family = name
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Adds a sample to the current family.
    /// - Parameter suffix: Name suffix for the parts of a histogram.
    mutating func sample(_ value: Double, _ labels: Labels = [:], suffix: String = "") {
        text += family + suffix
        if !labels.isEmpty {
            text +=
                "{" + labels.map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }.joined(separator: ",")
                + "}"
        }
        text += " \(Self.number(value))\n"
    }

    /// Writes a family with a single sample without labels.
    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        begin(name, kind, help)
        sample(value)
    }

    /// Formats integers without a fraction, and others as Swift does: the shortest text that round-trips.
    private static func number(_ value: Double) -> String {
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        if value.isNaN { return "NaN" }
        return value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let plain = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? plain.replacing("\"", with: "\\\"") : plain
    }
}
