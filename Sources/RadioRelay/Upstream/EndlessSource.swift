internal import HTTPClient
internal import MusicShared

/// A station that is one endless response, with titles between the audio.
final class EndlessSource: StationSource {
    let delivery = StationCheck.Delivery.stream
    let description: StationDescription

    private let transfer: BlockingTransfer
    private let resume: () -> Void
    private let cancel: () -> Void
    private var titles: TitleInterleave

    init(
        _ head: TransferHead, _ transfer: BlockingTransfer, resume: @escaping () -> Void,
        cancel: @escaping () -> Void
    ) {
        self.transfer = transfer
        self.resume = resume
        self.cancel = cancel
        titles = TitleInterleave(interval: head.field("icy-metaint").flatMap { Int($0) } ?? 0)
        description = StationDescription(
            name: head.field("icy-name"), genre: head.field("icy-genre"), homepageURL: head.field("icy-url"),
            bitRate: head.field("icy-br").flatMap { Int($0.prefix { $0 != "," }) }
                .flatMap { (1...10_000).contains($0) ? $0 * 1000 : nil })
    }

    deinit { cancel() }

    func next() throws(RelayError) -> [StationPart] {
        let (pieces, isPaused) = try transfer.next()
        if isPaused { resume() }
        guard let pieces else { throw RelayError(.unreachable, "the station closed the connection") }
        return pieces.flatMap { piece in
            titles.take(piece).map { part in
                switch part {
                case .sound(let bytes): .sound(bytes)
                case .title(let title): .title(title)
                }
            }
        }
    }
}

extension TransferHead {
    /// Returns the value of the first field with a name in lower case; nil if it is missing or empty.
    func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }
}
