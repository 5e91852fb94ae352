internal import Synchronization

/// The answers that may be repeated, by what was asked. What they hold ends with their ``Repetition``.
final class RepeatedAnswers: Sendable {
    private static let answerLimit = 8192
    private static let headerLimit = 64

    private struct Key: Hashable {
        let target: String
        let header: ObjectIdentifier
    }

    private struct Known {
        /// One object for all requests with the same header.
        var headers: Set<RequestHeader> = []
        var answers: [Key: RepeatedAnswer] = [:]
    }

    private let known = Mutex(Known())

    /// The answer to a request, where it may be repeated.
    func answer(to target: String, _ header: RequestHeader) -> RepeatedAnswer? {
        let key = Key(target: target, header: ObjectIdentifier(header))
        guard let answer = known.withLock({ $0.answers[key] }), answer.isRight else { return nil }
        return answer
    }

    /// Keeps an answer to requests with a target and a header.
    /// - Returns: the one object of that header, by which it is found again
    func remember(_ answer: RepeatedAnswer, to target: String, _ header: RequestHeader) -> RequestHeader {
        known.withLock { known in
            if known.headers.count >= Self.headerLimit || known.answers.count >= Self.answerLimit {
                known = Known()
            }
            let header = known.headers.insert(header).memberAfterInsert
            known.answers[Key(target: target, header: ObjectIdentifier(header))] = answer
            return header
        }
    }
}
