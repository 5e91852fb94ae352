import HTTPServer
import Testing

@Suite("Byte ranges (RFC 9110 §14.1.2)")
struct ByteRangeTests {
    // The examples of §14.1.2 for 10,000 bytes, and edge cases.
    @Test(arguments: [
        ("bytes=0-499", 0..<500), ("bytes=500-999", 500..<1000), ("bytes=-500", 9500..<10_000),
        ("bytes=9500-", 9500..<10_000), ("bytes=0-0", 0..<1), ("bytes=-1", 9999..<10_000),
        ("bytes=9999-", 9999..<10_000), ("bytes=0-99999", 0..<10_000), ("bytes=-20000", 0..<10_000),
        ("BYTES = 1-2", 1..<3), ("bytes=5-99999999999999999999999", 5..<10_000),
        ("bytes=-99999999999999999999999", 0..<10_000), ("bytes=, 3-4 ,", 3..<5),
    ])
    func oneRange(_ text: String, _ expected: Range<Int>) throws {
        let ranges = try #require(ByteRange.parse(text))
        #expect(ranges.count == 1)
        #expect(ranges[0].resolved(in: 10_000) == expected)
    }

    @Test(arguments: ["bytes=10000-", "bytes=10000-10001", "bytes=-0", "bytes=99999999999999999999-"])
    func outside(_ text: String) throws {
        #expect(try #require(ByteRange.parse(text)).allSatisfy { $0.resolved(in: 10_000) == nil })
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=2-1", "bytes=a-b", "bytes=1-2-3", "bytes=+1-2", "bytes=1",
        "items=0-1",
        "bytes=0x1-2", "bytes=1 -2", "bytes=٠-٩",
    ])
    func malformed(_ text: String) { #expect(ByteRange.parse(text) == nil) }

    @Test func several() { #expect(ByteRange.parse("bytes=0-0,-1")?.count == 2) }

    @Test func nothingOfNothing() { #expect(ByteRange.suffix(5).resolved(in: 0) == nil) }
}
