internal import Analyzer

/// A ramp as text in the form of MixRamp tags: "dB seconds;dB seconds". Numbers are written without
/// loss of precision.
enum RampCoding {
    static func encode(_ ramp: [CuePoints.RampPoint]) -> String {
        ramp.map { "\($0.levelDB) \($0.seconds)" }.joined(separator: ";")
    }

    /// The ramp; nil if the text is not in this format.
    static func decode(_ text: String) -> [CuePoints.RampPoint]? {
        var ramp: [CuePoints.RampPoint] = []
        for part in text.split(separator: ";") {
            let numbers = part.split(separator: " ").compactMap { Double($0) }
            guard numbers.count == 2 else { return nil }
            ramp.append(CuePoints.RampPoint(levelDB: numbers[0], seconds: numbers[1]))
        }
        return ramp
    }
}
