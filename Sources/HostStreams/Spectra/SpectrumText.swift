internal import Analyzer
internal import APIDescription
internal import Foundation

/// Writes spectrum frames as JSON (``MusicShared/SpectrumArray``) without an object in memory per number.
struct SpectrumText {
    /// The text of each level.
    private let numbers: [[UInt8]]
    private let bandCount: Int

    init(_ element: VisualizerStream.Element, bandCount: Int) {
        self.bandCount = bandCount
        numbers = (0...255).map { level in
            let text = element == .byte ? "\(level)" : "\((Double(level) / 255 * 1e4).rounded() / 1e4)"
            return Array(text.utf8)
        }
    }

    /// Returns the part of a ``SpectrumArray`` before its frames.
    static func head(_ path: String, _ shape: SpectrumResampling, _ frames: Range<Int>) throws -> [UInt8] {
        let start = (Double(frames.lowerBound) / Double(shape.rate) * 1e6).rounded() / 1e6
        return Array("{\"relative_path\":".utf8) + Array(try JSONEncoder.ofHost.encode(path))
            + Array(
                """
                ,"fps":\(shape.rate),"bands":\(shape.bandCount),"floor_dbfs":\(VisualizerSpectra.floorDB),\
                "frame_count":\(frames.count),"start_seconds":\(start),"frames":[
                """.utf8)
    }

    static let tail = Array("]}".utf8)

    /// Encodes some rows, with a comma before each except the first row of the response.
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
