internal import CZlib
internal import FileSystem

extension HTTPFile {
    /// Compresses the file to another one in gzip format (RFC 1952), using a small amount of memory.
    ///
    /// - Parameters:
    ///   - path: The file to create; it must not exist.
    ///   - level: From 1, the fastest, to 9, the smallest.
    /// - Returns: The compressed file. If an error is thrown, no file is left behind.
    /// - Throws: ``HTTPServerError`` if the file cannot be read or the other one cannot be written.
    package func gzipped(to path: String, level: Int32) throws(HTTPServerError) -> HTTPFile {
        do throws(HTTPServerError) {
            let output = try SystemError.map(to: { HTTPServerError(.cannotOpen, $0, subject: path) }) {
                () throws(SystemError) in
                try FileDescriptor.open(path, for: .write, .createNew)
            }
            try deflate(to: output, path: path, level: level)
            return try HTTPFile(path: path)
        } catch {
            if error.code != .cannotOpen { try? Files.remove(path) }
            throw error
        }
    }

    private func deflate(
        to output: borrowing FileDescriptor, path: String, level: Int32
    ) throws(HTTPServerError) {
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
                let part = UnsafeRawBufferPointer(rebasing: packed[..<(chunk - Int(stream.avail_out))])
                do throws(SystemError) {
                    try output.write(part)
                } catch {
                    throw HTTPServerError(.inputOutput, error, subject: path)
                }
            } while stream.avail_out == 0 && !isComplete
        }
    }
}

extension HTTPRequest {
    /// Whether the client accepts gzip.
    package var takesGzip: Bool { acceptsGzip(fields) }
}
