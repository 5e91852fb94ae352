internal import APIDescription
internal import HTTPServer

/// Parsed parameters of a request for spectrum frames.
struct SpectrumQuery {
    static let rateParameter = QueryParameter<Int?>(
        "fps", "Frames per second; as stored (30) by default.", in: 1...60)
    static let bandsParameter = QueryParameter<Int?>(
        "bands", "Bands per frame; as stored (64) by default.", in: 8...64)
    static let startParameter = QueryParameter<Double?>(
        "start_seconds", "Start of the window in seconds.", in: 0...1e6)
    static let endParameter = QueryParameter<Double?>(
        "end_seconds", "End of the window in seconds, exclusive.", in: 0...1e6)
    static let elementParameter = QueryParameter<VisualizerStream.Element>(
        "type", "Type of the levels: `uint8` from 0 to 255, or `float32` from 0 to 1.", default: .byte)
    static let parameters: [any OperationParameter] = [
        Query.relativePath, rateParameter, bandsParameter, startParameter, endParameter, elementParameter,
    ]

    let path: String
    let rate: Int?
    let bandCount: Int?
    /// The requested time window in seconds; the end is exclusive.
    let startSeconds: Double
    let endSeconds: Double?
    let element: VisualizerStream.Element
    let isBinary: Bool

    init(_ request: HTTPRequest) throws(HTTPError) {
        path = try request.value(Query.relativePath)
        rate = try request.value(Self.rateParameter)
        bandCount = try request.value(Self.bandsParameter)
        startSeconds = try request.value(Self.startParameter) ?? 0
        endSeconds = try request.value(Self.endParameter)
        element = try request.value(Self.elementParameter)
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
}
