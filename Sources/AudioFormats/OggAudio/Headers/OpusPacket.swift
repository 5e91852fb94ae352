/// The duration of Opus packets, from their first bytes (RFC 6716 §3.1 and §3.2).
public enum OpusPacket {
    /// No packet is longer: 120 ms.
    public static let longestDuration = 5760

    /// Returns the samples per channel of a packet at 48 kHz; nil if its first bytes are invalid.
    public static func duration(firstByte: UInt8, secondByte: UInt8?) -> Int? {
        let frame = frameDuration(configuration: Int(firstByte >> 3))
        switch firstByte & 3 {
        case 0: return frame
        case 1, 2: return 2 * frame
        default:
            guard let secondByte else { return nil }
            let total = frame * Int(secondByte & 0x3F)
            return (1...longestDuration).contains(total) ? total : nil
        }
    }

    private static func frameDuration(configuration: Int) -> Int {
        switch configuration {
        // SILK: 10, 20, 40 or 60 ms.
        case 0..<12: [480, 960, 1920, 2880][configuration & 3]
        // Hybrid: 10 or 20 ms.
        case 12..<16: [480, 960][configuration & 1]
        // CELT: 2.5, 5, 10 or 20 ms.
        default: [120, 240, 480, 960][configuration & 3]
        }
    }
}
