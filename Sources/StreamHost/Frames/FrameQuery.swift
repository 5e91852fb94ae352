internal import HTTPServer

/// What of a track's frames a request asks for.
struct FrameQuery {
    /// The rates that can be had.
    static let rates = 1...60
    /// The numbers of bands that can be had.
    static let bandCounts = 8...64
    /// The largest moment, in seconds.
    static let latest = 1e6

    let path: String
    let rate: Int?
    let bandCount: Int?
    /// The window: from its start on, up to but without its end, in seconds.
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
        switch request.query["type"] {
        case nil, "uint8": element = .byte
        case "float32": element = .float
        default:
            throw HTTPError(
                .badRequest, code: "invalid_parameter", message: "type is \"uint8\" or \"float32\".",
                field: "type")
        }
        isBinary = request.fields[.accept]?.lowercased().contains("application/octet-stream") ?? false
    }

    /// The frames of the window, of so many at a rate: those whose moments lie in it.
    func window(of frameCount: Int, rate: Int) -> Range<Int> {
        // A millionth of a frame for decimals that are not whole in binary.
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
                .badRequest, code: "invalid_parameter",
                message: "\(name) lies between \(range.lowerBound) and \(range.upperBound).", field: name)
        }
        return value
    }
}
