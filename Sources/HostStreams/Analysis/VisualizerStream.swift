internal import Analyzer

/// Serialises spectrum frames: a 32-byte header and the matrix, suitable for memory mapping and slicing.
///
/// Little-endian. Bytes 0–3 "AVF1"; 4–7 header length (32); 8–11 frames; 12–15 bands; 16–19 frames per second
/// as Float32; 20 element type (0: UInt8, 1: Float32 from 0 to 1); 21–23 zero; 24–27 level of 0 in dBFS as
/// Float32; 28–31 level of the maximum in dBFS as Float32. Row k begins at `32 + k · bands · element size`.
enum VisualizerStream {
    /// Element types of the matrix.
    enum Element: String, CaseIterable {
        case byte = "uint8"
        case float = "float32"

        /// The type's number in the header.
        var number: UInt8 { self == .float ? 1 : 0 }

        /// Size of an element in bytes.
        var byteCount: Int { self == .float ? 4 : 1 }
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
        bytes += [element.number, 0, 0, 0]
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
