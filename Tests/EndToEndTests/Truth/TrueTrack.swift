import Foundation
import Testing

/// A track in `truth.json`.
struct TrueTrack {
    let values: [String: Any]

    static func all() throws -> [TrueTrack] {
        let tracks = try #require(try truth()["tracks"] as? [[String: Any]])
        return tracks.map { TrueTrack(values: $0) }
    }

    /// Returns the permitted deviation of a value.
    static func tolerance(_ key: String) throws -> ClosedRange<Double> {
        let tolerances = try #require(try truth()["tolerances"] as? [String: Any])
        // Reported levels are rounded to hundredths, times to thousandths.
        let rounding = 0.0051
        if let both = tolerances[key] as? [Double] { return both[0] - rounding...both[1] + rounding }
        let one = try #require(tolerances[key] as? Double)
        return -one - (key.hasSuffix("seconds") ? 0.00051 : rounding)...one
            + (key.hasSuffix("seconds") ? 0.00051 : key.hasSuffix("share") ? 0 : rounding)
    }

    var path: String { values["relative_path"] as? String ?? "" }
    /// Whether it is a piece of music rather than a test signal.
    var isMusic: Bool { !path.hasPrefix("Measurements/") }

    subscript(key: String) -> Double? { (values[key] as? NSNumber)?.doubleValue }

    private static func truth() throws -> [String: Any] {
        try Corpora.json(Corpora.demo() + "/truth.json", as: [String: Any].self)
    }
}
