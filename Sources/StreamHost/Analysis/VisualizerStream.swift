internal import Analyzer

/// Visualizer frames on the wire: a header of 32 bytes and the matrix, made to be mapped into memory and sliced.
///
/// Little-endian. Bytes 0–3 "AVF1"; 4–7 header length (32); 8–11 frames; 12–15 bands; 16–19 frames a second as Float32;
/// 20 element type (0: UInt8, 1: Float32 from 0 to 1); 21–23 zero; 24–27 level of 0 in dBFS as Float32; 28–31 level of the
/// largest value in dBFS as Float32. Row k begins at `32 + k · bands · size of an element`.
enum VisualizerStream {
    /// Types of the matrix's elements.
    enum Element: UInt8 {
        case byte = 0
        case float = 1

        /// Bytes of an element.
        var byteCount: Int { self == .float ? 4 : 1 }
    }

    static let headerLength = 32

    static func encode(_ frames: VisualizerFrames, as element: Element) -> [UInt8] {
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
        append(Float(VisualizerFrames.floorDB).bitPattern, to: &bytes)
        append(Float(0).bitPattern, to: &bytes)
        return bytes
    }

    /// Levels as elements of the matrix.
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
