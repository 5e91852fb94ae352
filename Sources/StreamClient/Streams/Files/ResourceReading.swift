/// Reads the bytes of a resource in order. After an error, the next call continues where it stopped.
struct ResourceReading {
    private let resource: any ByteResource
    private var run: OpenRun
    /// Offset of the next byte.
    private(set) var offset = 0
    /// Size of the resource; nil while it is unknown.
    private(set) var total: Int?

    /// - Parameter run: an already open read from the start, if any.
    init(_ resource: any ByteResource, opened run: ByteRun?, total: Int? = nil) {
        self.resource = resource
        self.run = OpenRun(run)
        self.total = run?.total ?? total
    }

    /// Continues at another offset.
    mutating func move(to offset: Int) {
        self.offset = offset
        run = OpenRun()
    }

    /// Returns the next piece; nil at the end.
    mutating func next() async throws(PlaybackError) -> [UInt8]? {
        if run.current == nil {
            let opened = try await resource.open(at: offset)
            try ProgressiveReader.requireAudio(opened)
            run = OpenRun(opened)
            total = opened.total ?? total
        }
        if let piece = try await run.next() {
            offset += piece.count
            return piece
        }
        if let total, offset < total {
            throw PlaybackError(.connectionLost, "the connection was closed before the end of the file")
        }
        return nil
    }
}
