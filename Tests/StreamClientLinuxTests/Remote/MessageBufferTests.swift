import StreamClient
import Testing
import WebSockets

@testable import StreamClientLinux

/// Bytes of a server as messages for the client, and the ends of a session.
@Suite("Messages of a WebSocket")
struct MessageBufferTests {
    private func buffer() throws -> MessageBuffer {
        MessageBuffer(try #require(WebSocketSession(.client, messageLimit: 70_000)))
    }

    private static let hello: [UInt8] = [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]

    @Test("Messages before a close frame are delivered, and the frame is answered")
    func close() throws {
        let buffer = try buffer()
        #expect(buffer.receive(Self.hello) == nil)
        #expect(buffer.takeOutput().isEmpty)
        let end = buffer.receive(Self.hello + [0x88, 0x04, 0x0F, 0xA1, 0x6E, 0x6F] + Self.hello)
        #expect(end == .closed(code: 4001, reason: "no"))
        #expect(buffer.takeMessages() == [.text("Hello"), .text("Hello")])
        #expect(buffer.takeOutput().first == 0x88)
    }

    @Test("A close frame without a code has code 1005")
    func closeWithoutCode() throws {
        #expect(try buffer().receive([0x88, 0x00]) == .closed(code: 1005, reason: ""))
    }

    @Test(
        "Violations end the session and are answered with a close frame",
        arguments: [
            ([0x82, 0x01, 0x07], "only text is supported"), ([0x91, 0x00], "protocol error"),
            ([0x88, 0x01, 0x03], "protocol error"), ([0x81, 0x01, 0xFF], "invalid UTF-8"),
            ([0x81, 0x7F, 0, 0, 0, 0, 0, 2, 0, 0, 0x61], "message too large"),
        ] as [([UInt8], String)])
    func violations(_ bytes: [UInt8], _ reason: String) throws {
        let buffer = try buffer()
        #expect(buffer.receive(Self.hello + bytes) == .violation(reason))
        #expect(buffer.takeMessages() == [.text("Hello")])
        #expect(buffer.takeOutput().first == 0x88)
    }
}
