import Testing

@testable import StreamClientLinux

/// The example frames of RFC 6455 §5.7, and violations of its rules.
@Suite struct WebSocketReaderTests {
    private func read(_ bytes: [UInt8], inPiecesOf size: Int = .max, limit: Int = 70_000)
        throws(WebSocketReader.Breach) -> [WebSocketReader.Message]
    {
        var reader = WebSocketReader(limit: limit)
        var messages: [WebSocketReader.Message] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            reader.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(min(size, rest.count))
            while let message = try reader.next() { messages.append(message) }
        }
        return messages
    }

    static let hello: [UInt8] = [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
    static let fragmented: [UInt8] = [
        0x01, 0x03, 0x48, 0x65, 0x6C, 0x89, 0x02, 0x61, 0x62, 0x80, 0x02, 0x6C, 0x6F,
    ]

    @Test(arguments: [1, 2, 3, 100])
    func framesOfTheStandard(size: Int) throws {
        #expect(try read(Self.hello, inPiecesOf: size) == [.text("Hello")])
        #expect(try read(Self.fragmented, inPiecesOf: size) == [.ping([0x61, 0x62]), .text("Hello")])
        let medium = [0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 7, count: 256)
        #expect(try read(medium, inPiecesOf: size) == [.binary([UInt8](repeating: 7, count: 256))])
        #expect(try read([0x88, 0x02, 0x0F, 0xA1], inPiecesOf: size) == [.close(code: 4001, reason: "")])
    }

    @Test func aLargeFrame() throws {
        let large = [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65_536)
        #expect(try read(large, inPiecesOf: 4096) == [.binary([UInt8](repeating: 7, count: 65_536))])
    }

    @Test func aClientsFrameIsMasked() {
        let frame = WebSocketFrame(kind: .text, payload: Array("Hello".utf8))
        #expect(
            frame.masked(by: [0x37, 0xFA, 0x21, 0x3D])
                == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    }

    @Test(
        arguments: [
            ([0x91, 0x00], 1002), ([0x83, 0x00], 1002), ([0x81, 0x85, 0, 0, 0, 0], 1002),
            ([0x80, 0x00], 1002),
            ([0x01, 0x01, 0x61, 0x81, 0x01, 0x61], 1002), ([0x09, 0x00], 1002), ([0x89, 0x7E, 0, 126], 1002),
            ([0x88, 0x01, 0x03], 1002), ([0x81, 0x01, 0xFF], 1007), ([0x88, 0x03, 0x03, 0xE8, 0xFF], 1007),
            ([0x82, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 1009),
        ] as [([UInt8], UInt16)])
    func breaches(bytes: [UInt8], code: UInt16) {
        #expect {
            _ = try read(bytes)
        } throws: {
            ($0 as? WebSocketReader.Breach)?.code == code
        }
    }

    @Test("The size limit applies to the sum of fragments")
    func fragmentsTogetherAreLimitedToo() {
        let part: [UInt8] = [0x00, 0x02, 1, 2]
        #expect(throws: WebSocketReader.Breach(code: 1009, reason: "message too large")) {
            _ = try read([0x02, 0x02, 1, 2] + part + part, limit: 5)
        }
    }
}
