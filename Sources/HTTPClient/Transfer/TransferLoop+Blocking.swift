internal import Threads

extension TransferLoop {
    /// Sends a request and blocks the thread until the whole answer is there: for threads outside Swift's shared pool. Answers of
    /// any status are returned.
    /// - Parameter limit: the maximum size of the content in bytes.
    /// - Throws: ``HTTPClientError`` if there is no complete answer.
    package func answerBlocking(to request: TransferRequest, limit: Int) throws(HTTPClientError) -> Answer {
        let result = Turnstile<Result<Answer, HTTPClientError>?>(nil)
        let collector = AnswerCollector(limit: limit) { answer in result.change { $0 = answer } }
        _ = start(request, receiver: collector)
        guard let answer = result.wait({ $0 }) else {
            throw HTTPClientError(code: .cancelled, description: "cancelled")
        }
        return try answer.get()
    }
}
