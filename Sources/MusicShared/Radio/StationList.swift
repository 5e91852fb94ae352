internal import Foundation

/// A list of stations or files in PLS, M3U or ASX format.
package struct StationList: Sendable, Equatable {
    /// The URLs in order, absolute or relative.
    package private(set) var addresses: [String] = []

    private static let types = [
        "audio/x-scpls", "application/pls+xml", "audio/x-mpegurl", "audio/mpegurl",
        "application/vnd.apple.mpegurl", "application/x-mpegurl", "video/x-ms-asf", "video/x-ms-asx",
        "video/x-ms-wax", "audio/x-ms-wax",
    ]

    /// Whether a response is a list, judged by its content type, or by its URL if the type is inconclusive.
    /// - Parameter contentType: the value of `Content-Type`; empty without one.
    package static func isList(contentType: String, address: String) -> Bool {
        let type = contentType.lowercased()
        if types.contains(where: { type.hasPrefix($0) }) { return true }
        guard !type.hasPrefix("audio/") else { return false }
        let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [".pls", ".m3u", ".m3u8", ".asx", ".wax"].contains { path.hasSuffix($0) }
    }

    /// Parses a list in any of the three formats.
    package init(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        if text.range(of: "<asx", options: .caseInsensitive) != nil {
            addresses = Self.asx(text)
        } else if lines.contains(where: { $0.lowercased() == "[playlist]" }) {
            let numbered = lines.compactMap { line -> (Int, String)? in
                guard line.lowercased().hasPrefix("file"), let equals = line.firstIndex(of: "="),
                    let number = Int(line[..<equals].dropFirst(4))
                else { return nil }
                return (number, String(line[line.index(after: equals)...]))
            }
            addresses = numbered.sorted { $0.0 < $1.0 }.map(\.1)
        } else {
            addresses = lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        }
    }

    /// Extracts `<ref href="…">` from an ASX list, which looks like XML but often is not well-formed.
    private static func asx(_ text: String) -> [String] {
        text.matches(of: /<\s*[Rr][Ee][Ff]\b[^>]*?[Hh][Rr][Ee][Ff]\s*=\s*["']([^"']*)["']/).map { match in
            String(match.1).replacing("&amp;", with: "&")
        }
    }
}
