internal import CFileCopy
internal import Glibc
internal import Synchronization

/// An open file or folder; closed at the end of its lifetime.
///
/// It is never inherited by child programs. A lock on it is released before it is closed: a child that is just being started has
/// copies of all descriptors for a moment, which would otherwise keep the lock alive.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The descriptor, for calls of other libraries; valid as long as this value.
    package let number: Int32
    private let isLocked = Atomic<Bool>(false)

    /// Takes ownership of an open descriptor.
    package init(owning number: Int32) { self.number = number }

    deinit {
        unlock()
        close(number)
    }

    /// The purpose for which a file is opened.
    package enum Access: Sendable {
        case read, write, readAndWrite

        fileprivate var flag: Int32 {
            switch self {
            case .read: O_RDONLY
            case .write: O_WRONLY
            case .readAndWrite: O_RDWR
            }
        }
    }

    /// How a file is opened.
    package struct Options: OptionSet, Sendable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// Creates a missing file.
        package static let create = Options(rawValue: O_CREAT)
        /// Creates the file; an error if the name is taken, even by a link.
        package static let createNew = Options(rawValue: O_CREAT | O_EXCL)
        /// Empties an existing file.
        package static let truncate = Options(rawValue: O_TRUNC)
        /// Each write goes to the end of the file.
        package static let append = Options(rawValue: O_APPEND)
        /// An error if it is not a folder.
        package static let folder = Options(rawValue: O_DIRECTORY)
        /// An error if the last component of the path is a link.
        package static let noLink = Options(rawValue: O_NOFOLLOW)
        /// Does not wait for the other end of a FIFO or for a device. No effect on files.
        package static let nonBlocking = Options(rawValue: O_NONBLOCK | O_NOCTTY)
    }

    /// Opens a file or folder by its path.
    /// - Parameter permissions: those of a new file, before the process's umask.
    package static func open(
        _ path: some FilePath, for access: Access = .read, _ options: Options = [],
        permissions: UInt32 = 0o600
    ) throws(SystemError) -> FileDescriptor {
        try open(path, in: AT_FDCWD, access, options, permissions)
    }

    /// Opens an entry of this folder.
    package func open(
        _ name: some FilePath, for access: Access = .read, _ options: Options = [],
        permissions: UInt32 = 0o600
    ) throws(SystemError) -> FileDescriptor {
        try Self.open(name, in: number, access, options, permissions)
    }

    /// Creates a file without a name in a folder; the system frees it when it is closed. Not all file systems support it.
    package static func openUnnamed(in folder: some FilePath) throws(SystemError) -> FileDescriptor {
        // O_TMPFILE, whose definition as a combination of two flags is not imported.
        try open(folder, in: AT_FDCWD, .readAndWrite, Options(rawValue: 0o20_000_000 | O_DIRECTORY), 0o600)
    }

    /// Creates a file in a folder that the system frees when it is closed, also if the process is killed.
    package static func openTemporary(in folder: String) throws(SystemError) -> FileDescriptor {
        if let file = try? openUnnamed(in: folder) { return file }
        // Not all file systems have unnamed files.
        let path = "\(folder)/temporary-" + String(UInt64.random(in: .min ... .max), radix: 16)
        let file = try open(path, for: .readAndWrite, .createNew)
        try Files.remove(path)
        return file
    }

    /// Opens the same file a second time, with the same position.
    package static func duplicate(of number: Int32) throws(SystemError) -> FileDescriptor {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .last }
        return FileDescriptor(owning: copy)
    }

    private static func open(
        _ path: some FilePath, in folder: Int32, _ access: Access, _ options: Options, _ permissions: UInt32
    ) throws(SystemError) -> FileDescriptor {
        while true {
            let number = path.withPath {
                openat(folder, $0, access.flag | options.rawValue | O_CLOEXEC, mode_t(permissions))
            }
            if number >= 0 { return FileDescriptor(owning: number) }
            guard errno == EINTR else { throw .last }
        }
    }

    // MARK: State

    /// The state of the open file.
    package func status() throws(SystemError) -> FileStatus {
        var status = stat()
        try check(fstat(number, &status))
        return FileStatus(status)
    }

    /// The state of the open file.
    /// - Parameter failure: converts the error.
    package func status<Failure: Error>(or failure: (SystemError) -> Failure) throws(Failure) -> FileStatus {
        do throws(SystemError) { return try status() } catch { throw failure(error) }
    }

    /// Changes the permission bits.
    package func setPermissions(_ permissions: UInt32) throws(SystemError) {
        try check(fchmod(number, mode_t(permissions)))
    }

    /// Changes the owner and the group.
    package func setOwner(_ owner: UInt32, group: UInt32) throws(SystemError) {
        try check(fchown(number, owner, group))
    }

    /// Changes the times of the last access and of the last change of the content, in nanoseconds since 1970.
    package func setTimes(accessNanoseconds: Int, modificationNanoseconds: Int) throws(SystemError) {
        let times = [
            timespec(nanoseconds: accessNanoseconds), timespec(nanoseconds: modificationNanoseconds),
        ]
        try check(futimens(number, times))
    }

    /// Copies extended attributes, including access control lists, to another file; those that it does not support are left out.
    package func copyAttributes(to other: borrowing FileDescriptor) throws(SystemError) {
        try check(file_copy_attributes(number, other.number))
    }

    /// Free bytes on the disk for this user; nil if the file system does not report it.
    package var freeBytes: Int? {
        var space = statvfs()
        guard fstatvfs(number, &space) == 0 else { return nil }
        let free = UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize))
        return free.overflow ? .max : Int(clamping: free.partialValue)
    }

    /// Whether this folder is the root of a mounted file system.
    package var isMountRoot: Bool { file_is_mount_root(number) == 1 }

    /// Whether a process has this file open for writing, as far as the system reports it: it does so only to the file's owner and
    /// root, and for files on local disks. This descriptor must be open for reading only.
    package var isOpenForWriting: Bool {
        // A read lease (fcntl(2)) is refused while a writer has the file open. If someone opens it for writing while we hold the
        // lease, they are blocked for a moment and we receive a signal, here one that is ignored.
        _ = fcntl(number, Self.setLeaseSignal, SIGURG)
        guard fcntl(number, Self.setLease, Int32(F_RDLCK)) != 0 else {
            _ = fcntl(number, Self.setLease, Int32(F_UNLCK))
            return false
        }
        return errno == EAGAIN
    }

    // F_SETLEASE and F_SETSIG of Linux, which the C library declares for GNU sources only.
    private static let setLease: Int32 = 1024
    private static let setLeaseSignal: Int32 = 10

    // MARK: Content

    /// Writes all bytes at the current position, or at the end of a file opened with ``Options/append``.
    /// - Returns: normally only if all were written. If the call throws, some may have been.
    package func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
        let done: Result<Void, SystemError>? = bytes.withContiguousStorageIfAvailable { buffer in
            Result { () throws(SystemError) in try write(UnsafeRawBufferPointer(buffer)) }
        }
        if let done { try done.get() } else { try write(Array(bytes)) }
    }

    /// Writes all bytes, as above.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var start = 0
        while start < bytes.count {
            let count = Glibc.write(number, bytes.baseAddress.map { $0 + start }, bytes.count - start)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw count == 0 ? SystemError(code: EIO) : .last }
            start += count
        }
    }

    /// Writes as many bytes as a pipe takes without waiting.
    /// - Returns: the number of bytes written; 0 if the pipe is full.
    package func writeWithoutWaiting(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = Glibc.write(number, bytes.baseAddress, bytes.count)
            if count >= 0 { return count }
            if errno == EAGAIN { return 0 }
            guard errno == EINTR else { throw .last }
        }
    }

    /// Number of bytes that were written to a pipe and have not been read yet.
    package var unreadByteCount: Int {
        get throws(SystemError) {
            var count = Int32(0)
            try check(ioctl(number, UInt(FIONREAD), &count))
            return Int(count)
        }
    }

    /// Sets the number of bytes that a pipe holds; the system rounds it up.
    package func setPipeCapacity(_ byteCount: Int) throws(SystemError) {
        // F_SETPIPE_SZ, which the C library declares for GNU sources only.
        guard fcntl(number, 1031, Int32(byteCount)) >= 0 else { throw .last }
    }

    /// Writes all bytes at an offset, independently of the current position.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        var start = 0
        while start < bytes.count {
            let count = pwrite(
                number, bytes.baseAddress.map { $0 + start }, bytes.count - start, off_t(offset + start))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw count == 0 ? SystemError(code: EIO) : .last }
            start += count
        }
    }

    /// Writes all bytes at an offset, as above.
    package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        let done = bytes.withUnsafeBytes { buffer in
            Result { () throws(SystemError) in try write(buffer, at: offset) }
        }
        try done.get()
    }

    /// Reads bytes at an offset into a buffer, as many as fit.
    /// - Returns: the number of bytes read, smaller only at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        var start = 0
        while start < buffer.count {
            let count = pread(
                number, buffer.baseAddress.map { $0 + start }, buffer.count - start, off_t(offset + start))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            if count == 0 { break }
            start += count
        }
        return start
    }

    /// Reads at most `limit` bytes at an offset.
    package func read(_ limit: Int, at offset: Int = 0) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            do throws(SystemError) {
                count = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Reads from the current position to the end, at most `limit` bytes; also from a pipe.
    package func readToEnd(limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < limit {
            let count = Glibc.read(number, &buffer, min(buffer.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Appends a range of this file to another, in the kernel if possible.
    /// - Throws: ``SystemError/endsEarly`` if the file ends before the range does.
    package func copy(_ range: Range<Int>, to other: borrowing FileDescriptor) throws(SystemError) {
        try check(file_copy_run(number, range.lowerBound, range.count, other.number))
    }

    /// Shortens or extends the file.
    package func truncate(to byteCount: Int) throws(SystemError) {
        try check(ftruncate(number, off_t(byteCount)))
    }

    /// Waits until the content, or the entries of a folder, are on disk.
    package func sync() throws(SystemError) { try check(fsync(number)) }

    // MARK: Locks

    /// Kinds of locks.
    package enum Lock: Sendable {
        /// Held by any number of processes at once.
        case shared
        /// Held by one.
        case exclusive
    }

    /// Locks the file, or changes the kind of the lock, without waiting. The lock ends with this value, also if the process is
    /// killed.
    /// - Returns: false if another holder prevents it. An existing lock is then lost.
    package func lock(_ kind: Lock) throws(SystemError) -> Bool {
        do {
            try setLock(kind, LOCK_NB)
            return true
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
    }

    /// Locks the file exclusively. Other programs may hold it for moments, with a shared lock, to check whether it is locked; this
    /// waits for them.
    /// - Returns: false if another holder has locked it exclusively, or shares it for longer than all attempts take.
    package func lockDespiteChecks(attempts: Int, intervalMicroseconds: UInt32) throws(SystemError) -> Bool {
        for _ in 0..<attempts {
            if try lock(.exclusive) { return true }
            guard try lock(.shared) else { return false }
            unlock()
            usleep(intervalMicroseconds)
        }
        return try lock(.exclusive)
    }

    /// Locks the file, and waits until that is possible.
    package func waitForLock(_ kind: Lock) throws(SystemError) { try setLock(kind, 0) }

    private func setLock(_ kind: Lock, _ option: Int32) throws(SystemError) {
        // Before the call, so that the lock is released in any case.
        isLocked.store(true, ordering: .relaxed)
        while flock(number, (kind == .exclusive ? LOCK_EX : LOCK_SH) | option) != 0 {
            guard errno == EINTR else { throw .last }
        }
    }

    /// Releases the locks of this file.
    package func unlock() {
        guard isLocked.exchange(false, ordering: .relaxed) else { return }
        // A lock belongs to the open file, which copies of the descriptor in other processes share; this releases it for all.
        flock(number, LOCK_UN)
        var all = Self.byteLock(0, F_UNLCK)
        all.l_len = 0
        _ = fcntl(number, Self.setByteLock, &all)
    }

    /// Locks one byte of the file, which need not exist. Independent of ``lock(_:)``.
    /// - Returns: false if another open file holds it.
    package func lockByte(_ offset: Int) throws(SystemError) -> Bool {
        isLocked.store(true, ordering: .relaxed)
        var request = Self.byteLock(offset, F_WRLCK)
        if fcntl(number, Self.setByteLock, &request) == 0 { return true }
        guard errno == EAGAIN || errno == EACCES else { throw .last }
        return false
    }

    /// Whether another open file has locked a byte.
    package func isByteLockedElsewhere(_ offset: Int) throws(SystemError) -> Bool {
        var request = Self.byteLock(offset, F_WRLCK)
        try check(fcntl(number, Self.getByteLock, &request))
        return request.l_type != Int16(F_UNLCK)
    }

    private static func byteLock(_ offset: Int, _ kind: Int32) -> flock {
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(offset)
        lock.l_len = 1
        return lock
    }

    // F_OFD_GETLK and F_OFD_SETLK of Linux, which the C library declares for GNU sources only: locks of the open file, not of the
    // process.
    private static let getByteLock: Int32 = 36
    private static let setByteLock: Int32 = 37
}

/// Throws the error of a system call that returned a failure.
func check(_ result: Int32) throws(SystemError) {
    guard result == 0 else { throw .last }
}
