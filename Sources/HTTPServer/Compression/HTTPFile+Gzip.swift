internal import CZlib
internal import Glibc

extension HTTPFile {
    /// Compresses the file to another one in gzip format (RFC 1952), using a small amount of memory.
    ///
    /// - Parameters:
    ///   - path: The file to create; it must not exist.
    ///   - level: From 1, the fastest, to 9, the smallest.
    /// - Returns: The compressed file. If an error is thrown, no file is left behind.
    /// - Throws: ``HTTPServerError`` if the file cannot be read or the other one cannot be written.
    public func gzipped(to path: String, level: Int32) throws(HTTPServerError) -> HTTPFile {
        let output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else {
            let number = errno
            throw HTTPServerError(.cannotOpen, systemMessage(number), subject: path, errorNumber: number)
        }
        do throws(HTTPServerError) {
            defer { close(output) }
            try deflate(to: output, path: path, level: level)
            return try HTTPFile(path: path)
        } catch {
            unlink(path)
            throw error
        }
    }

    private func deflate(to output: Int32, path: String, level: Int32) throws(HTTPServerError) {
        var stream = z_stream()
        guard czlib_gzip_init(&stream, level) == Z_OK else {
            throw HTTPServerError(.inputOutput, "cannot start compression", subject: path)
        }
        defer { deflateEnd(&stream) }
        let chunk = 1 << 18
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        let packed = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        defer {
            input.deallocate()
            packed.deallocate()
        }
        var offset = 0
        var isComplete = false
        while !isComplete {
            let count = try read(into: input, at: offset)
            offset += count
            stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.avail_in = UInt32(count)
            // A short read means the end of the file.
            let flush = count < chunk ? Z_FINISH : Z_NO_FLUSH
            repeat {
                stream.next_out = packed.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_out = UInt32(chunk)
                isComplete = CZlib.deflate(&stream, flush) == Z_STREAM_END
                try write(packed[..<(chunk - Int(stream.avail_out))], to: output, path: path)
            } while stream.avail_out == 0 && !isComplete
        }
    }

    private func write(
        _ bytes: Slice<UnsafeMutableRawBufferPointer>, to output: Int32, path: String
    ) throws(HTTPServerError) {
        let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes)
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(
                output, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            guard count > 0 else {
                let number = errno
                if number == EINTR { continue }
                throw HTTPServerError(.inputOutput, systemMessage(number), subject: path, errorNumber: number)
            }
            written += count
        }
    }
}

extension HTTPRequest {
    /// Whether the client accepts gzip.
    public var takesGzip: Bool { acceptsGzip(fields) }
}
