import ClientTestSupport
import StreamClientLinux
import Foundation
import StreamClient
import TestSupport
import Testing

@Suite struct CurlTransportTests {
    static let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) }
    let transport = CurlTransport(userAgent: "test")

    private func server(_ fault: FaultyServer.Fault = .none) throws -> FaultyServer {
        try FaultyServer(["/file": .init(Self.bytes)], fault: { _ in fault })
    }

    @Test("The whole body is received")
    func wholeContentComes() async throws {
        let server = try server()
        let response = try await transport.fetch(TransportRequest(server.address("/file")))
        #expect(response.status == 200)
        #expect(response.contentLength == Self.bytes.count)
        #expect(response.mediaType == "audio/mpeg")
        #expect(response.fields["ETAG"] == "\"1\"")
        #expect(try await response.body.collect(upTo: .max) == Self.bytes)
    }

    @Test(arguments: [(0, 0), (100, 4_095), (999_999, nil)] as [(Int, Int?)])
    func rangesAreThoseAskedFor(first: Int, last: Int?) async throws {
        let server = try server()
        let response = try await transport.fetch(
            TransportRequest(server.address("/file"), range: TransportRange(first: first, last: last)))
        #expect(response.status == 206)
        #expect(response.contentRange?.total == Self.bytes.count)
        let range = first...(last ?? Self.bytes.count - 1)
        #expect(response.contentRange?.range == range)
        #expect(try await response.body.collect(upTo: .max) == Array(Self.bytes[range]))
    }

    @Test("A range beyond the end returns a 416 response")
    func aRangeBeyondTheEndIsAnAnswer() async throws {
        let server = try server()
        let response = try await transport.fetch(
            TransportRequest(server.address("/file"), range: TransportRange(first: 1_000_000)))
        #expect(response.status == 416)
        #expect(response.contentRange == TransportContentRange("bytes */1000000"))
    }

    @Test("Header fields and method are sent")
    func fieldsAndMethodArrive() async throws {
        let server = try server()
        var request = TransportRequest(server.address("/file"), method: "HEAD", fields: ["X-Test": "a b"])
        request.fields["x-broken"] = "a\r\nX-Smuggled: yes"
        let response = try await transport.fetch(request)
        #expect(response.contentLength == Self.bytes.count)
        #expect(try await response.body.collect(upTo: 0).isEmpty)
        let seen = try #require(server.requests.first)
        #expect(seen.method == "HEAD")
        #expect(seen.fields["x-test"] == "a b")
        #expect(seen.fields["user-agent"] == "test")
        #expect(seen.fields["x-smuggled"] == nil)
        #expect(seen.fields["x-broken"] == nil)
    }

    @Test(
        arguments: [
            (.close, .connectionLost), (.cut(after: 1000), .connectionLost),
            (.reset(after: 1000), .connectionLost),
            (.stall(after: 1000, seconds: 3), .timedOut), (.nonsense, .badAnswer),
        ] as [(FaultyServer.Fault, TransportError.Code)])
    func faultsAreToldApart(fault: FaultyServer.Fault, code: TransportError.Code) async throws {
        let server = try server(fault)
        let request = TransportRequest(server.address("/file"), timeouts: TransportTimeouts(idle: 0.5))
        var error: TransportError?
        do throws(TransportError) {
            _ = try await transport.fetch(request).body.collect(upTo: .max)
        } catch let failure {
            error = failure
        }
        #expect(error?.code == code)
        server.end()
    }

    @Test("An unreachable server is an error")
    func nobodyThere() async throws {
        let server = try server()
        server.goAway()
        await #expect {
            _ = try await transport.fetch(TransportRequest(server.address("/file")))
        } throws: {
            ($0 as? TransportError)?.code == .unreachable
        }
        try server.comeBack()
        #expect(try await transport.fetch(TransportRequest(server.address("/file"))).status == 200)
    }

    @Test(arguments: ["", "ftp://127.0.0.1/", "no scheme", "http://"])
    func addressesThatAreNone(address: String) async throws {
        await #expect {
            _ = try await transport.fetch(TransportRequest(address))
        } throws: {
            ($0 as? TransportError)?.code == .badAddress
        }
    }

    @Test("A response that never starts times out")
    func anAnswerThatDoesNotBegin() async throws {
        let server = try FaultyServer(["/file": .init(Self.bytes)]) { _ in
            Thread.sleep(forTimeInterval: 1)
            return .none
        }
        await #expect {
            _ = try await transport.fetch(
                TransportRequest(server.address("/file"), timeouts: TransportTimeouts(response: 0.3)))
        } throws: {
            ($0 as? TransportError)?.code == .timedOut
        }
    }

    @Test("A body that is not read pauses the transfer")
    func whatNobodyReadsIsHeldBack() async throws {
        let server = try FaultyServer(["/file": .init([UInt8](repeating: 7, count: 8_000_000))])
        let response = try await transport.fetch(
            TransportRequest(server.address("/file"), timeouts: TransportTimeouts(idle: 0.5)))
        var iterator = response.body.makeAsyncIterator()
        var count = try #require(try await iterator.next()).count
        // Longer than the timeout, which does not apply while nothing is read.
        try await Task.sleep(for: .seconds(1))
        let waiting = try #require(try await iterator.next()).count
        #expect(waiting <= 1 << 19)
        count += waiting
        while let piece = try await iterator.next() { count += piece.count }
        #expect(count == 8_000_000)
    }

    @Test("A cancelled task stops waiting")
    func aCancelledTaskStopsWaiting() async throws {
        let server = try server(.stall(after: 1000, seconds: 3))
        let response = try await transport.fetch(TransportRequest(server.address("/file")))
        let reader = Task {
            do throws(TransportError) {
                _ = try await response.body.collect(upTo: .max)
                return nil as TransportError.Code?
            } catch { return error.code }
        }
        try await Task.sleep(for: .milliseconds(100))
        reader.cancel()
        #expect(await reader.value == .cancelled)
        server.end()
    }

    @Test("Many concurrent requests")
    func manyAtOnce() async throws {
        let server = try server()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let range = try #require(TransportRange(offset: number * 15_000, count: 50_000))
                    let request = TransportRequest(server.address("/file"), range: range)
                    let content = try await transport.fetch(request).body.collect(upTo: .max)
                    return content == Array(Self.bytes[number * 15_000..<number * 15_000 + 50_000])
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test("Requests end with their transport")
    func requestsOfATransportThatIsGoneEnd() async throws {
        // Much longer than a busy machine needs to get here.
        let server = try server(.stall(after: 1000, seconds: 120))
        var transport: CurlTransport? = CurlTransport(userAgent: "test")
        let response = try await transport?.fetch(TransportRequest(server.address("/file")))
        transport = nil
        var iterator = try #require(response).body.makeAsyncIterator()
        #expect(try await iterator.next()?.count ?? 0 <= 1000)
        server.end()
    }

    @Test("Redirects are followed up to the limit")
    func redirectionsAreFollowedAsFarAsAskedFor() async throws {
        let server = try FaultyServer(["/file": .init([1, 2, 3])])
        let front = try FaultyServer([:])
        var moved = FaultyServer.Resource([9, 9, 9, 9], fields: ["Location: \(server.address("/file"))"])
        moved.status = 302
        front.serve(moved, at: "/moved")
        moved.fields = ["Location: /endless"]
        front.serve(moved, at: "/endless")
        let fields: TransportFields = ["Authorization": "Bearer secret"]
        let response = try await transport.fetch(TransportRequest(front.address("/moved"), fields: fields))
        #expect(response.status == 200)
        #expect(response.address == server.address("/file"))
        #expect(try await response.body.collect(upTo: 10) == [1, 2, 3])
        // Credentials for one server are not sent to the next.
        #expect(front.requests.first?.fields["authorization"] == "Bearer secret")
        #expect(server.requests.first?.fields["authorization"] == nil)

        let answer = try await transport.fetch(
            TransportRequest(front.address("/moved"), redirectionLimit: 0))
        #expect(answer.status == 302)
        #expect(try await answer.body.collect(upTo: 10) == [9, 9, 9, 9])
        await #expect {
            _ = try await transport.fetch(TransportRequest(front.address("/endless")))
        } throws: {
            ($0 as? TransportError)?.code == .tooManyRedirections
        }
    }
}
