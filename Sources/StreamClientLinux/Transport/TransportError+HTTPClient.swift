internal import HTTPClient
internal import StreamClient

extension TransportError {
    init(_ error: HTTPClientError) {
        let code: Code =
            switch error.code {
            case .badAddress: .badAddress
            case .connectionLost: .connectionLost
            case .timedOut: .timedOut
            case .tooLarge: .tooLarge
            case .insecure: .insecure
            case .badAnswer: .badAnswer
            case .tooManyRedirections: .tooManyRedirections
            case .cancelled: .cancelled
            default: .unreachable
            }
        self.init(code, error.description)
    }
}
