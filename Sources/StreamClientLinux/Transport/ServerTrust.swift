internal import HTTPClient

/// Which server certificates are accepted.
public struct ServerTrust: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
        case machine
        case file(String)
        case anyone
    }

    private let kind: Kind

    /// Certificates trusted by the operating system.
    public static let machine = ServerTrust(kind: .machine)
    /// Any certificate. Insecure: an API key sent to such a server may be intercepted.
    public static let anyone = ServerTrust(kind: .anyone)

    func apply(to request: inout TransferRequest) {
        switch kind {
        case .machine: break
        case .file(let path): request.certificateFile = path
        case .anyone: request.checksCertificates = false
        }
    }

    /// Certificates signed by those in a PEM file.
    public static func certificates(file: String) -> ServerTrust { ServerTrust(kind: .file(file)) }
}
