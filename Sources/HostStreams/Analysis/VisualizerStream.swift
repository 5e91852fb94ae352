internal import Analyzer
internal import HTTPServer

/// Serialises spectrum frames: a 32-byte header and the matrix, suitable for memory mapping and slicing.
///
/// Little-endian. Bytes 0–3 "AVF1"; 4–7 header length (32); 8–11 frames; 12–15 bands; 16–19 frames per second
/// as Float32; 20 element type (0: UInt8, 1: Float32 from 0 to 1); 21–23 zero; 24–27 level of 0 in dBFS as
/// Float32; 28–31 level of the maximum in dBFS as Float32. Row k begins at `32 + k · bands · element size`.
enum VisualizerStream {
    /// Element types of the matrix.
    enum Element: UInt8 {
        case byte = 0
        case float = 1

        /// Size of an element in bytes.
        var byteCount: Int { self == .float ? 4 : 1 }

        /// Reads the `type` parameter; ``byte`` by default.
        /// - Throws: 422 if the value is invalid.
        init(_ query: QueryParameters) throws(HTTPError) {
            switch query["type"] {
            case nil, "uint8": self = .byte
            case "float32": self = .float
            default:
                throw HTTPError(
                    .unprocessableContent, code: "invalid_parameter",
                    message: "type must be \"uint8\" or \"float32\".",
                    field: "type")
            }
        }
    }

    static let headerLength = 32

    static func encode(_ frames: VisualizerSpectra, as element: Element) -> [UInt8] {
        header(
            frameCount: frames.frameCount, bandCount: frames.bandCount,
            framesPerSecond: frames.framesPerSecond, element: element)
            + elements(frames.levels, as: element)
    }

    static func header(
        frameCount: Int, bandCount: Int, framesPerSecond: Int, element: Element
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerLength)
        bytes += Array("AVF1".utf8)
        append(UInt32(headerLength), to: &bytes)
        append(UInt32(frameCount), to: &bytes)
        append(UInt32(bandCount), to: &bytes)
        append(Float(framesPerSecond).bitPattern, to: &bytes)
        bytes += [element.rawValue, 0, 0, 0]
        append(Float(VisualizerSpectra.floorDB).bitPattern, to: &bytes)
        append(Float(0).bitPattern, to: &bytes)
        return bytes
    }

    /// Converts levels to elements of the matrix.
    static func elements(_ levels: [UInt8], as element: Element) -> [UInt8] {
        guard element == .float else { return levels }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(levels.count * element.byteCount)
        for level in levels { append((Float(level) / 255).bitPattern, to: &bytes) }
        return bytes
    }

    private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
