internal import CMicroHTTPD
internal import Glibc

/// A response in the library's form. Owns one reference, given back when it goes; the library keeps its own while the
/// response is sent.
struct OutgoingResponse: ~Copyable {
    /// Regions above this size go out by sendfile instead of from the mapping: they would sweep through the address
    /// space, and the calls that sendfile needs more no longer count.
    private static let mappedRegionLimit = 4 << 20
    private static let readerBlockSize = 64 << 10

    let pipe: ResponsePipe?
    /// Whether the content lies in memory as a whole, so that any number of connections can send it at once.
    let isInMemory: Bool
    private let pointer: OpaquePointer
    private let status: UInt32

    /// Makes the library's response, or nil where memory or descriptors have run out.
    init?(_ response: HTTPResponse, exchange: Exchange, handle: ConnectionHandle, isHead: Bool) {
        let configuration = exchange.connection.listener.configuration
        var pipe: ResponsePipe?
        var pointer: OpaquePointer?
        var isInMemory = false
        switch response.body {
        case .empty where response.status == .notModified:
            // Its Content-Length is that of the content left out, not 0 (RFC 9110 §8.6).
            pointer = Self.makeOmitted(response.omittedByteCount)
        case .empty:
            pointer = MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .bytes(let bytes):
            pointer = bytes.withUnsafeBytes {
                // Copied by the library: it only reads through the pointer.
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .file(let region):
            (pointer, isInMemory) = Self.make(region, isSecure: configuration.tls != nil)
        case .stream(let stream):
            if isHead {
                pointer = Self.makeOmitted(stream.byteCount)
            } else {
                let made = ResponsePipe(stream, handle: handle, limit: configuration.streamBufferLimit)
                pipe = made
                pointer = Self.make(made)
            }
        case .webSocket:
            pointer = MHD_create_response_for_upgrade(webSocketHasOpened, nil)
        }
        guard let pointer else { return nil }
        self.pointer = pointer
        self.pipe = pipe
        self.isInMemory = isInMemory
        status = UInt32(clamping: response.status.rawValue)
        for field in response.fields { add(field.name.rawName, field.value) }
        if configuration.sendsRequestID, response.repetition == nil {
            add("X-Request-Id", exchange.id.description)
        }
        if exchange.connection.listener.isDraining, response.status != .switchingProtocols {
            add("Connection", "close")
        }
    }

    deinit { MHD_destroy_response(pointer) }

    /// Hands the response to the library.
    borrowing func queue(on handle: ConnectionHandle) -> MHD_Result {
        let result = MHD_queue_response(handle.pointer, status, pointer)
        if result == MHD_Result.YES { pipe?.start() }
        return result
    }

    private borrowing func add(_ name: String, _ value: String) {
        // What the library refuses (its own fields, empty values) is left out.
        _ = name.withCString { name in value.withCString { MHD_add_response_header(pointer, name, $0) } }
    }

    /// A response of a region, and whether it lies in memory.
    private static func make(_ region: FileRegion, isSecure: Bool) -> (OpaquePointer?, Bool) {
        if region.byteCount == 0 {
            return (MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT), false)
        }
        // Encryption reads the bytes in this process, which a mapping of a shortened file would end.
        // In one piece the library sends it together with the header.
        if !isSecure, region.length <= mappedRegionLimit, let address = region.file.address(of: region) {
            let file = Unmanaged.passRetained(region.file)
            let pointer = MHD_create_response_from_buffer_with_free_callback_cls(
                region.byteCount, UnsafeMutableRawPointer(bitPattern: address), releaseFile, file.toOpaque())
            if pointer == nil { file.release() }
            return (pointer, true)
        }
        if !isSecure, region.prefix.isEmpty {
            let copy = fcntl(region.file.descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { return (nil, false) }
            // The library owns the copy from here on.
            return (
                MHD_create_response_from_fd_at_offset64(UInt64(region.length), copy, UInt64(region.offset)),
                false
            )
        }
        // Released by releaseRegion, when the library has sent the response or given it up.
        let context = Unmanaged.passRetained(RegionLease(region))
        let pointer = MHD_create_response_from_callback(
            UInt64(region.byteCount), readerBlockSize, readRegion, context.toOpaque(), releaseRegion)
        if pointer == nil { context.release() }
        return (pointer, false)
    }

    private static func make(_ pipe: ResponsePipe) -> OpaquePointer? {
        let byteCount = pipe.byteCount.map { UInt64($0) } ?? cmhd_size_unknown
        // Released by releasePipe, which the library calls once for each response it has made.
        let context = Unmanaged.passRetained(pipe)
        let pointer = MHD_create_response_from_callback(
            byteCount, readerBlockSize, readPipe, context.toOpaque(), releasePipe)
        if pointer == nil { context.release() }
        return pointer
    }

    /// A response whose content is told of but never sent.
    private static func makeOmitted(_ byteCount: Int?) -> OpaquePointer? {
        MHD_create_response_from_callback(
            byteCount.map { UInt64($0) } ?? cmhd_size_unknown, 1, readNothing, nil, nil)
    }
}

/// A region that the library reads while it sends.
private final class RegionLease {
    let region: FileRegion

    init(_ region: FileRegion) { self.region = region }
}

private func releaseFile(_ context: UnsafeMutableRawPointer?) {
    if let context { Unmanaged<HTTPFile>.fromOpaque(context).release() }
}

private func releaseRegion(_ context: UnsafeMutableRawPointer?) {
    if let context { Unmanaged<RegionLease>.fromOpaque(context).release() }
}

private func readRegion(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
    _ capacity: Int
) -> Int {
    guard let context else { return cmhd_end_with_error }
    let region = Unmanaged<RegionLease>.fromOpaque(context).takeUnretainedValue().region
    let target = UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
    guard let count = try? region.read(into: target, at: Int(position)), count > 0 else {
        // The file got shorter after its length was announced.
        return cmhd_end_with_error
    }
    return count
}

private func readPipe(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
    _ capacity: Int
) -> Int {
    guard let context else { return cmhd_end_with_error }
    let pipe = Unmanaged<ResponsePipe>.fromOpaque(context).takeUnretainedValue()
    switch pipe.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity)) {
    case .bytes(let count): return count
    case .resting: return 0
    case .ended: return cmhd_end_of_stream
    case .failed: return cmhd_end_with_error
    }
}

private func releasePipe(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let pipe = Unmanaged<ResponsePipe>.fromOpaque(context)
    pipe.takeUnretainedValue().close()
    pipe.release()
}

private func readNothing(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
    _ capacity: Int
) -> Int { cmhd_end_of_stream }
