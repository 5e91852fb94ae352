import MusicShared
import Testing

@Suite("Packed-audio timestamps")
struct PackedAudioTimestampTests {
    @Test(
        "The tag is the 73 bytes of RFC 8216, section 3.4", arguments: [0, 90_000, (1 << 33) - 1] as [UInt64])
    func bytes(timestamp: UInt64) {
        let tag = PackedAudioTimestamp.tag(timestamp: timestamp)
        let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8)
        #expect(tag.count == 73)
        #expect(Array(tag[0..<10]) == [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0x3F])
        #expect(Array(tag[10..<20]) == Array("PRIV".utf8) + [0, 0, 0, 0x35, 0, 0])
        #expect(Array(tag[20..<65]) == owner + [0])
        #expect(tag[65...].reduce(0) { $0 << 8 | UInt64($1) } == timestamp)
    }
}
