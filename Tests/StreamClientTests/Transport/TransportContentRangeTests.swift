import StreamClient
import Testing

@Suite struct TransportContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-99/200", 0...99, 200), ("bytes 5-5/*", 5...5, nil), ("Bytes */77", nil, 77),
        ] as [(String, ClosedRange<Int>?, Int?)])
    func valuesThatAreStated(value: String, range: ClosedRange<Int>?, total: Int?) throws {
        let stated = try #require(TransportContentRange(value))
        #expect(stated.range == range)
        #expect(stated.total == total)
    }

    @Test(arguments: ["", "bytes", "bytes 3-2/9", "bytes 0-9/9", "bytes -1-2/9", "bytes 0-1", "lines 0-1/9"])
    func nonsense(value: String) { #expect(TransportContentRange(value) == nil) }
}
