internal import Analyzer
internal import Foundation

/// Frames as JSON (``MusicShared/FrameArray``), written without a value in memory for each number.
struct FrameText {
    /// Each level as text.
    private let numbers: [[UInt8]]
    private let bandCount: Int

    init(_ element: VisualizerStream.Element, bandCount: Int) {
        self.bandCount = bandCount
        numbers = (0...255).map { level in
            let text = element == .byte ? "\(level)" : "\((Double(level) / 255 * 1e4).rounded() / 1e4)"
            return Array(text.utf8)
        }
    }

    /// All of a ``FrameArray`` that comes before its frames.
    static func head(_ path: String, _ shape: FrameResampling, _ frames: Range<Int>) throws -> [UInt8] {
        let start = (Double(frames.lowerBound) / Double(shape.rate) * 1e6).rounded() / 1e6
        return Array("{\"relative_path\":".utf8) + Array(try JSONEncoder.ofHost.encode(path))
            + Array(
                """
                ,"fps":\(shape.rate),"bands":\(shape.bandCount),"floor_dbfs":\(VisualizerFrames.floorDB),\
                "frame_count":\(frames.count),"start_seconds":\(start),"frames":[
                """.utf8)
    }

    static let tail = Array("]}".utf8)

    /// Some rows, with a comma before all but the first of the track's answer.
    func rows(_ levels: [UInt8], isFirst: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(levels.count * 4)
        for start in stride(from: 0, to: levels.count, by: bandCount) {
            if start > 0 || !isFirst { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "["))
            for band in 0..<bandCount {
                if band > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes += numbers[Int(levels[start + band])]
            }
            bytes.append(UInt8(ascii: "]"))
        }
        return bytes
    }
}
