/// A path or name of the file system: text, or bytes that need not be valid UTF-8.
package protocol FilePath {
    /// Calls a closure with the path as a C string.
    func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result
}

extension String: FilePath {
    package func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withCString(body)
    }
}

extension FilePath where Self: Sequence<UInt8> {
    package func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        var bytes = [UInt8](self)
        bytes.append(0)
        return bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("the array is never empty") }
            return body(base.assumingMemoryBound(to: CChar.self))
        }
    }
}

extension [UInt8]: FilePath {}
extension ArraySlice<UInt8>: FilePath {}
