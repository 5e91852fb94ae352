internal import Glibc

/// An error of a system call on a file or folder.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error number, as in `errno`.
    package let code: Int32

    /// Creates an error from an error number.
    package init(code: Int32) { self.code = code }

    /// The error of the last failed system call of this thread.
    package static var last: SystemError { SystemError(code: errno) }

    /// There is no such file or folder.
    package static let notFound = SystemError(code: ENOENT)

    /// A part of the path is not a folder.
    package static let notAFolder = SystemError(code: ENOTDIR)
    /// The file is not a pipe.
    package static let notAPipe = SystemError(code: ESPIPE)
    /// A file ends before the bytes that were to be copied from it.
    package static let endsEarly = SystemError(code: ENODATA)

    /// The kinds of errors that callers distinguish.
    package enum Kind: Sendable {
        /// There is no such file or folder.
        case notFound
        /// The name is taken.
        case alreadyExists
        /// The disk or the user's quota is full, or the file is too large for the file system.
        case noSpace
        /// No permission, or a read-only file system.
        case notPermitted
        /// A part of the path is not a folder, or is a link that is not followed.
        case notAFolder
        /// The two names are on different file systems.
        case otherFileSystem
        /// Any other reason.
        case other
    }

    /// The kind of the error.
    package var kind: Kind {
        switch code {
        case ENOENT: .notFound
        case EEXIST: .alreadyExists
        case ENOSPC, EDQUOT, EFBIG: .noSpace
        case EACCES, EPERM, EROFS: .notPermitted
        case ENOTDIR, ELOOP: .notAFolder
        case EXDEV: .otherFileSystem
        default: .other
        }
    }

    /// Calls a closure and converts the error that it throws.
    package static func map<Value: ~Copyable, Failure: Error>(
        to failure: (SystemError) -> Failure, _ body: () throws(SystemError) -> Value
    ) throws(Failure) -> Value {
        do throws(SystemError) { return try body() } catch { throw failure(error) }
    }

    /// The system's message, such as "No space left on device".
    package var description: String {
        var text = [CChar](repeating: 0, count: 256)
        guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
