internal import Foundation
internal import HTTPClient

/// Sends requests to a service and sorts out what every service reports in the same way.
struct ServiceConnection: Sendable {
    /// Seconds for a whole request.
    private static let timeoutSeconds = 30.0
    /// The longest pause that a service may ask for, in seconds.
    private static let longestPause = 24 * 3600.0

    let loop: TransferLoop
    let name: String

    /// Sends a request.
    /// - Returns: the answer, or the outcome to report if no usable answer came.
    func send(_ request: TransferRequest) async -> Result<TransferLoop.Answer, ServiceFailure> {
        var request = request
        request.totalSeconds = Self.timeoutSeconds
        let answer: TransferLoop.Answer
        do throws(HTTPClientError) {
            answer = try await loop.answer(to: request)
        } catch {
            return .failure(ServiceFailure(.failed("\(name) is not reachable: \(error.description)")))
        }
        if answer.status == 429 {
            return .failure(
                ServiceFailure(
                    .failed("\(name) limits the number of requests", retryAfter: Self.pause(answer) ?? 10)))
        }
        if answer.status >= 500 {
            return .failure(
                ServiceFailure(
                    .failed(
                        "\(name) has a problem (status \(answer.status))",
                        retryAfter: Self.seconds(answer, "Retry-After"))))
        }
        return .success(answer)
    }

    /// The pause that an answer asks for, in seconds.
    static func pause(_ answer: TransferLoop.Answer) -> Double? {
        seconds(answer, "X-RateLimit-Reset-In") ?? seconds(answer, "Retry-After")
    }

    private static func seconds(_ answer: TransferLoop.Answer, _ field: String) -> Double? {
        guard let text = answer.field(field), let seconds = Double(text), seconds >= 0 else { return nil }
        return min(seconds, longestPause)
    }
}

/// The outcome of a request that was not answered as usual.
struct ServiceFailure: Error {
    let outcome: ScrobbleOutcome

    init(_ outcome: ScrobbleOutcome) { self.outcome = outcome }
}

/// Why a service could not be connected.
package struct ScrobbleError: Error, Sendable, CustomStringConvertible {
    /// The kinds of errors.
    package enum Code: Sendable, Equatable {
        /// The service does not know the token, key or session.
        case refused
        /// The user has not allowed the access yet.
        case notAuthorized
        /// The service cannot be reached, or does not answer as it should.
        case unavailable
    }

    /// The kind of error.
    package let code: Code
    /// Human-readable description, without secrets.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    init(_ outcome: ScrobbleOutcome, name: String) {
        switch outcome {
        case .refused(let message): self.init(.refused, message)
        case .failed(let message, _), .malformed(let message): self.init(.unavailable, message)
        case .accepted: self.init(.unavailable, "\(name) sent an unexpected answer")
        }
    }
}
