internal import HTTPClient
public import StreamClient

/// A transport based on libcurl. One thread handles all requests and reuses connections.
public final class CurlTransport: Transport {
    private let loop: TransferLoop
    private let trust: ServerTrust

    /// Starts the thread.
    /// - Parameters:
    ///   - userAgent: value of the `User-Agent` header.
    ///   - trust: which server certificates are accepted.
    public init(userAgent: String, trust: ServerTrust = .machine) {
        loop = TransferLoop(userAgent: userAgent)
        self.trust = trust
    }

    /// Sends a request; see ``Transport/fetch(_:)``.
    public func fetch(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let pipe = TransferPipe(loop: loop)
        pipe.start(transferRequest(request))
        let head: TransferHead
        do throws(HTTPClientError) { head = try await pipe.head() } catch { throw TransportError(error) }
        return TransportResponse(
            status: head.status, fields: TransportFields(head.fields.map { ($0.name, $0.value) }),
            address: head.address,
            body: TransportBody(next: { () async throws(TransportError) in
                do throws(HTTPClientError) { return try await pipe.next() } catch {
                    throw TransportError(error)
                }
            }) {
                pipe.cancel()
            })
    }

    private func transferRequest(_ request: TransportRequest) -> TransferRequest {
        var transfer = TransferRequest(address: request.address)
        transfer.method = request.method
        transfer.fields = request.fields.all
        transfer.body = request.body
        transfer.range = request.range?.text
        transfer.redirectionLimit = request.redirectionLimit
        transfer.acceptsCompression = request.acceptsCompression
        transfer.connectSeconds = request.timeouts.connect
        transfer.responseSeconds = request.timeouts.response
        transfer.idleSeconds = request.timeouts.idle
        transfer.totalSeconds = request.timeouts.whole
        trust.apply(to: &transfer)
        return transfer
    }
}
