internal import HTTPClient

/// Which servers are believed to be who they say.
public struct ServerTrust: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
        case machine
        case file(String)
        case anyone
    }

    private let kind: Kind

    /// Those whose certificates the machine trusts.
    public static let machine = ServerTrust(kind: .machine)
    /// Anyone. Right only where nothing of worth is told: a key sent to such a server may be read by others.
    public static let anyone = ServerTrust(kind: .anyone)

    func apply(to request: inout TransferRequest) {
        switch kind {
        case .machine: break
        case .file(let path): request.certificateFile = path
        case .anyone: request.checksCertificates = false
        }
    }

    /// Those whose certificates a file in PEM form vouches for.
    public static func certificates(file: String) -> ServerTrust { ServerTrust(kind: .file(file)) }
}
