internal import HTTPServer

/// Parsed parameters of a request for spectrum frames.
struct SpectrumQuery {
    /// Supported frame rates per second.
    static let rates = 1...60
    /// Supported numbers of bands.
    static let bandCounts = 8...64
    /// Largest accepted time in seconds.
    static let latest = 1e6

    let path: String
    let rate: Int?
    let bandCount: Int?
    /// The requested time window in seconds; the end is exclusive.
    let startSeconds: Double
    let endSeconds: Double?
    let element: VisualizerStream.Element
    let isBinary: Bool

    init(_ request: HTTPRequest) throws(HTTPError) {
        path = try request.query.require("relative_path")
        rate = try Self.value("fps", request, in: Self.rates)
        bandCount = try Self.value("bands", request, in: Self.bandCounts)
        startSeconds = try Self.value("start_seconds", request, in: 0...Self.latest) ?? 0
        endSeconds = try Self.value("end_seconds", request, in: 0...Self.latest)
        element = try VisualizerStream.Element(request.query)
        isBinary = request.fields[.accept]?.lowercased().contains("application/octet-stream") ?? false
    }

    /// Returns the indices of the frames whose times lie in the window.
    func window(of frameCount: Int, rate: Int) -> Range<Int> {
        // Tolerate 1e-6 frames, because most decimal fractions are inexact in binary.
        func first(from seconds: Double) -> Int {
            min(frameCount, max(0, Int((seconds * Double(rate) - 1e-6).rounded(.up))))
        }
        let start = first(from: startSeconds)
        return start..<max(start, endSeconds.map(first) ?? frameCount)
    }

    private static func value<Value: LosslessStringConvertible & Comparable>(
        _ name: String, _ request: HTTPRequest, in range: ClosedRange<Value>
    ) throws(HTTPError) -> Value? {
        guard let value = try request.query.get(name, as: Value.self) else { return nil }
        guard range.contains(value) else {
            throw HTTPError(
                .unprocessableContent, code: "invalid_parameter",
                message: "\(name) must be between \(range.lowerBound) and \(range.upperBound).", field: name)
        }
        return value
    }
}
