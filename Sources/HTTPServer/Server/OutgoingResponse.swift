internal import CErrorPages
internal import CMicroHTTPD
internal import Glibc

/// A response in the library's form. Owns one reference, released on deinitialisation; the library holds its own while
/// sending.
struct OutgoingResponse: ~Copyable {
    private static let readerBlockSize = 128 << 10

    let pipe: ResponsePipe?
    private let pointer: OpaquePointer
    private let status: UInt32

    /// Creates the library's response; nil if memory or descriptors have run out.
    init?(_ response: HTTPResponse, exchange: Exchange, handle: ConnectionHandle) {
        let listener = exchange.connection.listener
        var pipe: ResponsePipe?
        var pointer: OpaquePointer?
        switch response.body {
        case .empty where response.status == .notModified:
            // The Content-Length of a 304 response is that of the omitted content, not 0 (RFC 9110 §8.6).
            pointer = Self.makeOmitted(response.omittedByteCount)
        case .empty:
            pointer = MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .bytes(let bytes):
            pointer = bytes.withUnsafeBytes {
                // The library copies the bytes; it only reads through the pointer.
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .file(let region):
            pointer =
                exchange.isHead
                ? Self.makeOmitted(region.byteCount)
                : Self.make(region, exchange.connection, handle)
        case .stream(let stream):
            if exchange.isHead {
                pointer = Self.makeOmitted(stream.byteCount)
            } else {
                let made = ResponsePipe(
                    stream, handle: handle, limit: listener.configuration.streamBufferLimit)
                pipe = made
                pointer = Self.make(made)
            }
        case .webSocket:
            pointer = MHD_create_response_for_upgrade(webSocketHasOpened, nil)
        }
        guard let pointer else { return nil }
        self.pointer = pointer
        self.pipe = pipe
        status = UInt32(clamping: response.status.rawValue)
        for field in response.fields { add(field.name.rawName, field.value) }
        if listener.configuration.sendsRequestID {
            exchange.id.withCString { _ = MHD_add_response_header(pointer, "X-Request-Id", $0) }
        }
        if listener.isDraining, response.status != .switchingProtocols {
            add("Connection", "close")
        }
    }

    deinit { MHD_destroy_response(pointer) }

    /// Queues the response in the library.
    borrowing func queue(on handle: ConnectionHandle) -> MHD_Result {
        let isQueued = cep_queue_response(handle.pointer, status, pointer) != 0
        let result = isQueued ? MHD_Result.YES : .NO
        if result == MHD_Result.YES { pipe?.start() }
        return result
    }

    private borrowing func add(_ name: String, _ value: String) {
        // Fields that the library rejects (its own fields, empty values) are omitted.
        _ = name.withCString { name in value.withCString { MHD_add_response_header(pointer, name, $0) } }
    }

    /// Creates a response for a region.
    ///
    /// Content that fits the socket's buffer is sent from the file's mapping, without a copy. Anything larger is read block
    /// by block, with a check of the file after each: if it had been truncated, the client would wait for the rest until a
    /// timeout; if it had been modified, new bytes would be mixed with old ones.
    private static func make(
        _ region: FileRegion, _ connection: ClientConnection, _ handle: ConnectionHandle
    ) -> OpaquePointer? {
        if region.byteCount == 0 {
            return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        }
        // TLS reads the bytes in this process, which would crash if a mapped file had been truncated.
        if !connection.listener.isSecure, handle.canSendAtOnce(region.byteCount),
            let address = region.file.mappedAddress()
        {
            return make(region, at: address + UInt(region.offset), connection)
        }
        // Released by releaseRegion, when the library has sent or abandoned the response.
        let context = Unmanaged.passRetained(RegionLease(region))
        let pointer = MHD_create_response_from_callback(
            UInt64(region.byteCount), readerBlockSize, readRegion, context.toOpaque(), releaseRegion)
        if pointer == nil { context.release() }
        return pointer
    }

    /// Creates a response for a region whose bytes of the file are in memory at an address.
    private static func make(
        _ region: FileRegion, at address: UInt, _ connection: ClientConnection
    ) -> OpaquePointer? {
        let bytes = UnsafeMutableRawPointer(bitPattern: address)
        guard !region.prefix.isEmpty else {
            // Sent together with the header.
            let file = Unmanaged.passRetained(region.file)
            let pointer = MHD_create_response_from_buffer_with_free_callback_cls(
                region.length, bytes, releaseFile, file.toOpaque())
            if pointer == nil { file.release() }
            return pointer
        }
        let lease = PrefixLease(region)
        let parts: InlineArray<2, MHD_IoVec> = [
            MHD_IoVec(iov_base: lease.prefix.baseAddress, iov_len: lease.prefix.count),
            MHD_IoVec(iov_base: bytes, iov_len: region.length),
        ]
        let count: UInt32 = region.length > 0 ? 2 : 1
        let context = Unmanaged.passRetained(lease)
        let pointer = parts.span.withUnsafeBufferPointer {
            MHD_create_response_from_iovec($0.baseAddress, count, releasePrefix, context.toOpaque())
        }
        if pointer == nil { context.release() }
        connection.holdHeader()
        return pointer
    }

    private static func make(_ pipe: ResponsePipe) -> OpaquePointer? {
        let byteCount = pipe.byteCount.map { UInt64($0) } ?? cmhd_size_unknown
        // Released by releasePipe, which the library calls once for each response it has created.
        let context = Unmanaged.passRetained(pipe)
        let pointer = MHD_create_response_from_callback(
            byteCount, readerBlockSize, readPipe, context.toOpaque(), releasePipe)
        if pointer == nil { context.release() }
        return pointer
    }

    /// Creates a response that announces content without sending it.
    private static func makeOmitted(_ byteCount: Int?) -> OpaquePointer? {
        MHD_create_response_from_callback(
            byteCount.map { UInt64($0) } ?? cmhd_size_unknown, 1, readNothing, nil, nil)
    }
}

/// A region being read by the library while it is sent.
private final class RegionLease {
    let region: FileRegion

    init(_ region: FileRegion) { self.region = region }
}

/// A prefix in memory of its own and the file after it, while the library sends both.
private final class PrefixLease {
    let prefix: UnsafeMutableRawBufferPointer
    private let file: HTTPFile

    init(_ region: FileRegion) {
        file = region.file
        prefix = .allocate(byteCount: region.prefix.count, alignment: 1)
        prefix.copyBytes(from: region.prefix)
    }

    deinit { prefix.deallocate() }
}

private func releasePrefix(_ context: UnsafeMutableRawPointer?) {
    if let context { Unmanaged<PrefixLease>.fromOpaque(context).release() }
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
    // Check after reading: either all bytes are from the original file, or the connection is closed.
    guard let count = try? region.read(into: target, at: Int(position)), count > 0, region.file.hasOpenedState
    else { return cmhd_end_with_error }
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
