import Dispatch
import Foundation
import HTTPServer
import TestSupport

/// Runs a server on a free port of the loopback interface for the duration of a test.
@discardableResult
func withServer<Result>(
    _ configure: (inout ServerConfiguration) -> Void = { _ in }, routes: (Router) -> Void,
    _ body: (HTTPServer) async throws -> Result
) async throws -> Result {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.threadCount = 2
    configure(&configuration)
    let router = Router()
    routes(router)
    let server = try HTTPServer(router.build(), configuration: configuration)
    do {
        let result = try await body(server)
        await server.shutdown(withinSeconds: 2)
        return result
    } catch {
        await server.shutdown(withinSeconds: 0)
        throw error
    }
}

/// Runs a tool without blocking one of the threads on which the server's tasks run.
@discardableResult
func run(_ tool: String, _ arguments: [String], mustSucceed: Bool = true) async throws -> ProcessRun {
    try await ProcessRun.aside(tool, arguments, mustSucceed: mustSucceed)
}

/// Runs one of the Python clients in `Clients`.
@discardableResult
func client(_ name: String, _ arguments: [String]) async throws -> ProcessRun {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Clients")
    let script = folder.appending(path: name).path(percentEncoded: false)
    return try await PythonClient.run(script, arguments)
}

/// Creates a certificate for localhost and its key with openssl.
func makeCertificate(in directory: TemporaryDirectory) async throws -> ServerConfiguration.TLS {
    let tls = ServerConfiguration.TLS(
        certificatePath: directory.file("certificate.pem"), keyPath: directory.file("key.pem"))
    try await run(
        "openssl",
        [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out",
            tls.certificatePath, "-keyout", tls.keyPath,
        ])
    return tls
}
