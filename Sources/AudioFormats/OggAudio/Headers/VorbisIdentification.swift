/// The identification header of a Vorbis stream (Vorbis I §4.2.2).
public struct VorbisIdentification: Sendable, Hashable {
    /// Size of the packet.
    static let byteCount = 30

    /// Number of channels.
    public let channelCount: Int
    /// Sample rate in Hz.
    public let sampleRate: Int
    /// Sizes of short and long blocks: powers of two from 64 to 8192.
    public let blockSizes: [Int]

    /// Reads a packet; nil if it is damaged.
    init?(_ packet: [UInt8]) {
        guard packet.count >= Self.byteCount, packet.starts(with: [1] + Array("vorbis".utf8)),
            packet[7..<11].allSatisfy({ $0 == 0 }), packet[29] & 1 == 1
        else { return nil }
        channelCount = Int(packet[11])
        sampleRate = (0..<4).reduce(0) { $0 | Int(packet[12 + $1]) << (8 * $1) }
        let exponents = [Int(packet[28] & 15), Int(packet[28] >> 4)]
        guard channelCount > 0, sampleRate > 0, exponents.allSatisfy({ (6...13).contains($0) }),
            exponents[0] <= exponents[1]
        else { return nil }
        blockSizes = exponents.map { 1 << $0 }
    }
}
