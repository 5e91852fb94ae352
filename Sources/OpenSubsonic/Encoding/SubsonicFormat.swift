/// The encoding of an answer.
package enum SubsonicFormat: Sendable, Equatable {
    /// XML, unless another is asked for.
    case xml
    /// JSON.
    case json
    /// JSON as the argument of a JavaScript function.
    case jsonp(callback: String)

    /// Reads the parameters `f` and `callback`.
    ///
    /// Unknown formats are XML. A callback that is missing or not a plain JavaScript name gives nil: it would be run as a
    /// script by the page that asks.
    package init?(_ name: String?, callback: String?) {
        switch name {
        case "json": self = .json
        case "jsonp":
            guard let callback, Self.isName(callback) else { return nil }
            self = .jsonp(callback: callback)
        default: self = .xml
        }
    }

    /// The media type of an answer.
    package var mediaType: String {
        switch self {
        case .xml: "text/xml; charset=utf-8"
        case .json: "application/json; charset=utf-8"
        case .jsonp: "application/javascript; charset=utf-8"
        }
    }

    private static func isName(_ text: String) -> Bool {
        guard (1...100).contains(text.utf8.count), let first = text.utf8.first,
            !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
    }
}
