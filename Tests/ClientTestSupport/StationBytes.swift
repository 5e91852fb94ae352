/// The bytes that a station sends.
package enum StationBytes {
    /// Interleaves audio with titles: after every `interval` bytes, a text in units of 16 bytes.
    package static func interleave(_ sound: [UInt8], _ interval: Int, titles: [Int: String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (number, start) in stride(from: 0, to: sound.count, by: interval).enumerated() {
            let part = sound[start..<min(start + interval, sound.count)]
            bytes += part
            guard part.count == interval else { break }
            let text = Array((titles[number] ?? "").utf8)
            let count = (text.count + 15) / 16
            bytes.append(UInt8(count))
            bytes += text + [UInt8](repeating: 0, count: count * 16 - text.count)
        }
        return bytes
    }
}
