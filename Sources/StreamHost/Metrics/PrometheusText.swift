/// Measurements in Prometheus' text form, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
struct PrometheusText {
    /// What a family of measurements is.
    enum Kind: String {
        case counter, gauge, histogram
    }

    /// The type of the text as HTTP names it.
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    typealias Labels = KeyValuePairs<String, String>

    private(set) var text = ""
    private var family = ""

    /// Begins a family. All its samples follow before the next begins.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        family = name
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// A sample of the family.
    /// - Parameter suffix: what a histogram's parts are called by.
    mutating func sample(_ value: Double, _ labels: Labels = [:], suffix: String = "") {
        text += family + suffix
        if !labels.isEmpty {
            text +=
                "{" + labels.map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }.joined(separator: ",")
                + "}"
        }
        text += " \(Self.number(value))\n"
    }

    /// A family of one sample without labels.
    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        begin(name, kind, help)
        sample(value)
    }

    /// Whole numbers without a fraction, others as Swift writes them, which is the shortest text that reads back the same.
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
