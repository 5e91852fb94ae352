internal import Synchronization

/// A handler's word that a response is the same for every request alike: with the same target and the same header fields,
/// whoever sends it, as long as it is asked and says so.
///
/// The server then keeps the response in the form in which it goes out, and answers such requests without the handler and
/// the middleware. Whoever makes the response keeps the repetition: with it goes what was kept, and the file that it is
/// sent from is closed. So it must not outlive what it is about, and middleware whose answer depends on more than
/// the target and the fields, such as the time, has to take it away.
///
/// Such a response tells no `X-Request-Id`: it is the same for all.
public final class Repetition: Sendable {
    /// Whether the response is still right. Asked before each repetition, on the server's own threads: it must not block.
    let isRight: @Sendable () -> Bool
    /// By target and header there are few for one response.
    private let kept = Mutex<[RepeatedAnswer]>([])

    /// Makes a repetition.
    public init(while isRight: @escaping @Sendable () -> Bool) { self.isRight = isRight }

    /// Has an answer end with this.
    func keep(_ answer: RepeatedAnswer) {
        let old = kept.withLock { kept -> [RepeatedAnswer] in
            kept.append(answer)
            // Any number of clients may send any number of header fields.
            guard kept.count > 8 else { return [] }
            defer { kept = [answer] }
            return kept.dropLast()
        }
        for answer in old { answer.end() }
    }

    deinit { for answer in kept.withLock({ $0 }) { answer.end() } }
}
