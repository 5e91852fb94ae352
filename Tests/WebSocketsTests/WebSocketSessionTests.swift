import Testing
import WebSockets

/// The example frames of RFC 6455 §5.7, and violations of its rules.
@Suite("Framing of WebSockets")
struct WebSocketSessionTests {
    enum Message: Equatable {
        case text(String)
        case binary([UInt8])
    }

    /// One end, with its connection in memory.
    final class End: WebSocketChannel {
        let session: WebSocketSession
        var input: ArraySlice<UInt8> = []
        var output: [UInt8] = []
        var messages: [Message] = []
        /// Bytes that the connection accepts before it blocks.
        var room = Int.max

        init(_ role: WebSocketSession.Role, limit: Int = 70_000) throws {
            session = try #require(WebSocketSession(role, messageLimit: limit))
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> WebSocketTransfer {
            guard !input.isEmpty else { return .wouldBlock }
            let count = min(buffer.count, input.count)
            buffer.copyBytes(from: input.prefix(count))
            input = input.dropFirst(count)
            return .bytes(count)
        }

        func write(_ bytes: UnsafeRawBufferPointer, hasMore: Bool) -> WebSocketTransfer {
            let count = min(room, bytes.count)
            guard count > 0 else { return .wouldBlock }
            room -= count
            output += bytes.prefix(count)
            return .bytes(count)
        }

        func receive(text: String) { messages.append(.text(text)) }

        func receive(binary bytes: [UInt8]) { messages.append(.binary(bytes)) }

        /// Takes bytes in pieces, and sends the answers.
        func take(_ bytes: [UInt8], inPiecesOf size: Int = .max) {
            var rest = bytes[...]
            while !rest.isEmpty {
                input += rest.prefix(size)
                rest = rest.dropFirst(min(size, rest.count))
                #expect(session.receive(from: self))
                #expect(session.send(to: self))
            }
        }
    }

    /// Removes the mask of a client's short frame (§5.3).
    private func unmasked(_ frame: [UInt8]) throws -> [UInt8] {
        try #require(frame.count >= 6 && frame[1] & 0x80 != 0 && frame.count == 6 + Int(frame[1] & 0x7F))
        return [frame[0], frame[1] & 0x7F]
            + frame.dropFirst(6).enumerated().map { $0.element ^ frame[2 + $0.offset % 4] }
    }

    static let hello: [UInt8] = [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
    static let fragmented: [UInt8] = [
        0x01, 0x03, 0x48, 0x65, 0x6C, 0x89, 0x02, 0x61, 0x62, 0x80, 0x02, 0x6C, 0x6F,
    ]

    @Test("A client reads the frames of the standard, however they are split", arguments: [1, 2, 3, 100])
    func framesOfTheStandard(size: Int) throws {
        let end = try End(.client)
        end.take(Self.hello, inPiecesOf: size)
        #expect(end.messages == [.text("Hello")])
        end.take(Self.fragmented, inPiecesOf: size)
        #expect(end.messages == [.text("Hello"), .text("Hello")])
        // The ping between the fragments is answered.
        #expect(try unmasked(end.output) == [0x8A, 0x02, 0x61, 0x62])
        end.take([0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 7, count: 256), inPiecesOf: size)
        #expect(end.messages.last == .binary([UInt8](repeating: 7, count: 256)))
        end.take([0x88, 0x02, 0x0F, 0xA1], inPiecesOf: size)
        #expect(end.session.hasReceivedClose && end.session.hasSentClose)
        #expect(end.session.closeCode == 4001 && end.session.receivedCloseReason == "")
    }

    @Test("A client reads a frame with a length of 64 bits")
    func largeFrame() throws {
        let end = try End(.client)
        end.take(
            [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65_536), inPiecesOf: 4096)
        #expect(end.messages == [.binary([UInt8](repeating: 7, count: 65_536))])
    }

    @Test("A server reads the masked frame of the standard and answers without a mask")
    func server() throws {
        let end = try End(.server)
        end.take([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
        #expect(end.messages == [.text("Hello")])
        #expect(end.session.queue(text: "Hello") && end.session.send(to: end))
        #expect(end.output == Self.hello)
    }

    @Test(
        "A close frame follows the messages that are queued, also if the connection blocks",
        arguments: [0, 3, 9, 100])
    func closesLast(room: Int) throws {
        let end = try End(.server)
        end.room = room
        for _ in 0..<2 { #expect(end.session.queue(text: "Hello")) }
        #expect(end.session.queueClose(code: 1000, reason: ""))
        #expect(!end.session.queue(text: "late") && !end.session.queuePing([1]))
        #expect(!end.session.queueClose(code: 1001, reason: ""))
        #expect(end.session.send(to: end))
        #expect(end.session.hasSentClose == (room == 100))
        end.room = .max
        #expect(end.session.send(to: end))
        #expect(end.output == Self.hello + Self.hello + [0x88, 0x02, 0x03, 0xE8])
        #expect(end.session.hasSentClose && end.session.closeCode == 1000)
    }

    @Test("A client masks its frames, each with a key of its own")
    func masks() throws {
        let end = try End(.client)
        var keys: Set<[UInt8]> = []
        for _ in 0..<20 {
            end.output = []
            #expect(end.session.queue(text: "Hello") && end.session.send(to: end))
            #expect(try unmasked(end.output) == Self.hello)
            keys.insert(Array(end.output[2..<6]))
        }
        // Two equal keys of 32 random bits are possible, but not many.
        #expect(keys.count > 15)
    }

    @Test(
        "A violation closes with its code",
        arguments: [
            ([0x91, 0x00], 1002), ([0x83, 0x00], 1002), ([0x81, 0x85, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1002),
            ([0x80, 0x00], 1002),
            ([0x01, 0x01, 0x61, 0x81, 0x01, 0x61], 1002), ([0x09, 0x00], 1002), ([0x89, 0x7E, 0, 126], 1002),
            ([0x88, 0x01, 0x03], 1002), ([0x81, 0x01, 0xFF], 1007), ([0x88, 0x03, 0x03, 0xE8, 0xFF], 1007),
            // The most significant bit of a length must be 0 (§5.2).
            ([0x82, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 1002),
            ([0x82, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 7], 1009),
        ] as [([UInt8], UInt16)])
    func violations(bytes: [UInt8], code: UInt16) throws {
        let end = try End(.client)
        end.take(bytes)
        #expect(end.session.closeCode == code)
        #expect(!end.session.wantsToRead)
        let answer = try unmasked(end.output)
        #expect(answer.prefix(1) == [0x88])
        // wslay answers a truncated code with an empty close frame.
        if bytes != [0x88, 0x01, 0x03] {
            #expect(answer.dropFirst(2).prefix(2) == [UInt8(code >> 8), UInt8(code & 0xFF)])
        }
        #expect(end.messages.isEmpty)
    }

    @Test("The size limit applies to the sum of fragments")
    func limitOfFragments() throws {
        let part: [UInt8] = [0x00, 0x02, 1, 2]
        let end = try End(.client, limit: 5)
        end.take([0x02, 0x02, 1, 2] + part)
        #expect(end.session.closeCode == nil)
        end.take(part)
        #expect(end.session.closeCode == 1009)
        #expect(end.messages.isEmpty)
    }

    @Test("A close reason is truncated between characters to fit a control frame")
    func closeReason() throws {
        let end = try End(.server)
        #expect(end.session.queueClose(code: 1000, reason: String(repeating: "ä", count: 100)))
        #expect(end.session.send(to: end))
        #expect(
            end.output == [0x88, 124, 0x03, 0xE8] + Array(String(repeating: "ä", count: 61).utf8))
        #expect(!end.session.queue(text: "late"))
    }
}
