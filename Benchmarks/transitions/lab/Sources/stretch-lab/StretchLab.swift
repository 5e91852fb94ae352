import Foundation
import MusicShared

/// Stretches raw stereo samples (32-bit floating point, 44.1 kHz) with the stretcher of mixes.
///
///     stretch-lab SPEED < IN > OUT
@main
enum StretchLab {
    static func main() throws {
        guard CommandLine.arguments.count == 2, let speed = Double(CommandLine.arguments[1]), speed > 0 else {
            FileHandle.standardError.write(Data("usage: stretch-lab SPEED < IN > OUT\n".utf8))
            exit(2)
        }
        let bytes = try FileHandle.standardInput.readToEnd() ?? Data()
        let input = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let output = TimeStretcher(sampleRate: 44_100, channelCount: 2)
            .render(input, count: Int(Double(input.count / 2) / speed)) { Double($0) * speed }
        try output.withUnsafeBytes { try FileHandle.standardOutput.write(contentsOf: Data($0)) }
    }
}
