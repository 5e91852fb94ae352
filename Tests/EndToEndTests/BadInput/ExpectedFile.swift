import Foundation
import Testing

/// An entry of `expected.json`.
struct ExpectedFile {
    let values: [String: Any]
    private let name: [UInt8]

    static func all(in folder: String) throws -> [ExpectedFile] {
        try Corpora.json(folder + "/expected.json", as: [[String: Any]].self).map { values in
            let name = try #require(Data(base64Encoded: values["name_base64"] as? String ?? ""))
            return ExpectedFile(values: values, name: [UInt8](name))
        }
    }

    var why: String { values["why"] as? String ?? "" }
    /// Accepted outcomes: analysed, failed, ignored.
    var outcomes: [String] {
        (values["outcome"] as? String ?? "").split(separator: "_or_", omittingEmptySubsequences: true)
            .map(String.init)
    }
    var dependsOnRights: Bool { values["unless_root"] as? Bool ?? false }
    var frameCountRange: ClosedRange<Double>? {
        (values["frame_count_range"] as? [Double]).map { $0[0]...$0[1] }
    }

    subscript(key: String) -> Double? { (values[key] as? NSNumber)?.doubleValue }

    /// The path as printed by the program: a byte that is not UTF-8 becomes U+FFFD and two hexadecimal digits.
    var text: String {
        var text = ""
        var rest = name[...]
        while !rest.isEmpty {
            let length = (1...4).first { count in
                rest.count >= count && String(validating: rest.prefix(count), as: UTF8.self) != nil
            }
            if let length {
                text += String(decoding: rest.prefix(length), as: UTF8.self)
                rest = rest.dropFirst(length)
            } else {
                text += "\u{FFFD}" + String(format: "%02X", Int(rest[rest.startIndex]))
                rest = rest.dropFirst()
            }
        }
        return text
    }
}
