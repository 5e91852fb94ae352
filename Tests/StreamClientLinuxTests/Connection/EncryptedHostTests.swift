import ClientTestSupport
import StreamClientLinux
import Foundation
import HTTPServer
import MusicShared
import StreamClient
import StreamClientHost
import TestSupport
import Testing

/// Hosts with a self-signed certificate.
@Suite("Encrypted hosts", .timeLimit(.minutes(30)))
struct EncryptedHostTests {
    /// Creates a certificate authority, and a certificate for this machine signed by it.
    private static func certificates(in directory: TemporaryDirectory) throws {
        func openssl(_ arguments: String...) throws { try ProcessRun.run("openssl", arguments) }
        let file = directory.file
        try openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Attic's own",
            "-keyout",
            file("ca.key"), "-out", file("ca.pem"), "-addext", "basicConstraints=critical,CA:TRUE")
        try openssl(
            "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-keyout", file("host.key"),
            "-out",
            file("host.csr"))
        try directory.write("subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n".utf8, as: "names")
        try openssl(
            "x509", "-req", "-in", file("host.csr"), "-CA", file("ca.pem"), "-CAkey", file("ca.key"),
            "-CAcreateserial", "-days", "2", "-extfile", file("names"), "-out", file("host.pem"))
    }

    @Test("Requests and the remote channel work only with the host's certificate authority")
    func ownAuthority() async throws {
        let directory = try TemporaryDirectory()
        let other = try TemporaryDirectory()
        try Self.certificates(in: directory)
        try Self.certificates(in: other)
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.tls = ServerConfiguration.TLS(
            certificatePath: directory.file("host.pem"), keyPath: directory.file("host.key"))
        let router = Router()
        router.get("/auth") { _ in
            .text(
                "{\"host_name\":\"Attic\",\"protocol_version\":\(StreamingConstants.protocolVersion)}")
        }
        router.webSocket("/ws") { _, socket in
            for try await message in socket.messages {
                guard case .text = message else { continue }
                try await socket.send(
                    "{\"protocol_version\":\(StreamingConstants.protocolVersion),\"app_version\":\"host 1\"}")
            }
        }
        let server = try HTTPServer(router.build(), configuration: configuration)
        let host = KnownHost(
            id: "a", name: "Attic",
            addresses: [HostAddress(name: "127.0.0.1", port: UInt16(server.port), isEncrypted: true)])
        func connection(_ trust: ServerTrust) -> HostConnection {
            HostConnection(host, transport: CurlTransport(userAgent: "test", trust: trust))
        }
        let trust = ServerTrust.certificates(file: directory.file("ca.pem"))
        let connected = connection(trust)
        #expect(try await connected.connect().hostName == "Attic")
        for wrong in [ServerTrust.machine, .certificates(file: other.file("ca.pem"))] {
            let error = await failure { () async throws(ClientError) in try await connection(wrong).connect()
            }
            #expect(error?.transport?.code == .insecure)
        }
        let channel = RemoteChannel(connected, appVersion: "test", trust: trust)
        let run = Task { try await channel.run() }
        var greeting: HandshakeMessage?
        for await event in channel.events {
            guard case .connected(let message) = event else { continue }
            greeting = message
            break
        }
        #expect(greeting?.appVersion == "host 1")
        run.cancel()
        try? await run.value
        await server.shutdown(withinSeconds: 1)
    }
}
