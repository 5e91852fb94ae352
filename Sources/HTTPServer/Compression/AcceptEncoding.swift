/// Whether a client accepts gzip: it lists gzip or `*` with a weight above 0 (RFC 9110 §12.5.3).
func acceptsGzip(_ fields: HTTPFields) -> Bool {
    guard let text = fields[.acceptEncoding] else { return false }
    var wildcard = false
    for element in text.split(separator: ",") {
        let parts = element.split(separator: ";").map { $0.trimmingWhitespace().lowercased() }
        guard let coding = parts.first else { continue }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
        if coding == "gzip" || coding == "x-gzip" { return weight > 0 }
        if coding == "*" { wildcard = weight > 0 }
    }
    return wildcard
}

/// Whether a media type is compressible text: text, JSON, XML, playlists.
func isCompressibleType(_ contentType: String) -> Bool {
    let type = contentType.prefix { $0 != ";" }.trimmingWhitespace().lowercased()
    return type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml")
        || [
            "application/json", "application/javascript", "application/xml", "application/x-ndjson",
            "application/vnd.apple.mpegurl", "audio/mpegurl", "audio/x-mpegurl", "application/yaml",
            "application/wasm",
        ].contains(type)
}
