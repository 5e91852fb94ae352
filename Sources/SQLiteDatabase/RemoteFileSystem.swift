internal import CSQLite
internal import Glibc
internal import Synchronization

/// SQLite's access to files of ``RemoteDatabaseFile``: a virtual file system (https://www.sqlite.org/vfs.html) that only reads.
///
/// Files are read in blocks, which are kept while the file is open.
enum RemoteFileSystem {
    /// The name that SQLite knows it by.
    static let name = "remote-files"

    /// Size of a block in bytes.
    private static let blockSize = 64 << 10
    /// Maximum number of blocks that are kept.
    private static let blockLimit = 128

    // Macros that Swift cannot import: SQLITE_IOERR_READ and SQLITE_IOERR_SHORT_READ.
    private static let readFailed = SQLITE_IOERR | 1 << 8
    private static let readWasShort = SQLITE_IOERR | 2 << 8

    /// The files to open, by the names that SQLite opens them with.
    private static let files = Mutex<[String: any RemoteDatabaseFile]>([:])

    /// The blocks of an open file. Used by the thread of its connection only.
    private final class OpenFile {
        let file: any RemoteDatabaseFile
        private var blocks: [Int: [UInt8]] = [:]

        init(_ file: any RemoteDatabaseFile) { self.file = file }

        /// Copies bytes into a buffer; false if they cannot be read.
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
            var position = 0
            while position < buffer.count {
                let place = offset + position
                guard let block = block(place / blockSize) else { return false }
                let bytes = block[(place % blockSize)...].prefix(buffer.count - position)
                guard !bytes.isEmpty else { return false }
                UnsafeMutableRawBufferPointer(rebasing: buffer[position...]).copyBytes(from: bytes)
                position += bytes.count
            }
            return true
        }

        private func block(_ index: Int) -> [UInt8]? {
            if let block = blocks[index] { return block }
            let start = index * blockSize
            guard start < file.byteCount else { return [] }
            let range = start..<min(start + blockSize, file.byteCount)
            guard let block = file.read(range), block.count == range.count else { return nil }
            if blocks.count >= blockLimit { blocks.removeAll() }
            blocks[index] = block
            return block
        }
    }

    /// A file as SQLite sees it: the part that SQLite prescribes, and the open file, retained.
    private struct Handle {
        var base: sqlite3_file
        var file: UnsafeMutableRawPointer?
    }

    private static func openFile(_ file: UnsafeMutablePointer<sqlite3_file>?) -> OpenFile? {
        guard let file else { return nil }
        let handle = UnsafeRawPointer(file).load(as: Handle.self)
        return handle.file.map { Unmanaged<OpenFile>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs a body while SQLite can open a file by the name that the body gets.
    static func offering<Result, Failure: Error>(
        _ file: any RemoteDatabaseFile, _ body: (String) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        _ = registration
        let name = "/" + String(UInt64.random(in: .min ... .max), radix: 16)
        files.withLock { $0[name] = file }
        defer { files.withLock { $0[name] = nil } }
        return try body(name)
    }

    /// Makes SQLite know the file system; done once, and never undone.
    private static let registration: Int32 = {
        // Time, pauses and random numbers come from the system's.
        guard let system = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: system.pointee)
        vfs.pointee.pNext = nil
        vfs.pointee.zName = UnsafePointer(strdup(name))
        vfs.pointee.szOsFile = Int32(MemoryLayout<Handle>.size)
        vfs.pointee.xOpen = { _, name, file, flags, outFlags in
            guard let file, let name else { return SQLITE_CANTOPEN }
            let handle = UnsafeMutableRawPointer(file).bindMemory(to: Handle.self, capacity: 1)
            handle.initialize(to: Handle(base: sqlite3_file(pMethods: nil), file: nil))
            let key = String(cString: name)
            guard flags & SQLITE_OPEN_MAIN_DB != 0, let found = files.withLock({ $0[key] }) else {
                return SQLITE_CANTOPEN
            }
            handle.pointee.file = Unmanaged.passRetained(OpenFile(found)).toOpaque()
            handle.pointee.base.pMethods = UnsafePointer(methods)
            outFlags?.pointee = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
            return SQLITE_OK
        }
        vfs.pointee.xDelete = { _, _, _ in SQLITE_READONLY }
        // The file has no journal.
        vfs.pointee.xAccess = { _, _, _, result in
            result?.pointee = 0
            return SQLITE_OK
        }
        vfs.pointee.xFullPathname = { _, name, size, buffer in
            guard let name, let buffer, strlen(name) < Int(size) else { return SQLITE_CANTOPEN }
            strcpy(buffer, name)
            return SQLITE_OK
        }
        return sqlite3_vfs_register(vfs, 0)
    }()

    nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        methods.xClose = { file in
            guard let file else { return SQLITE_OK }
            let handle = UnsafeMutableRawPointer(file).assumingMemoryBound(to: Handle.self)
            if let file = handle.pointee.file { Unmanaged<OpenFile>.fromOpaque(file).release() }
            handle.pointee.file = nil
            return SQLITE_OK
        }
        methods.xRead = { file, buffer, count, offset in
            guard let open = openFile(file), let buffer else { return readFailed }
            let length = min(Int(count), max(0, open.file.byteCount - Int(offset)))
            let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
            guard open.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<length]), at: Int(offset))
            else {
                return readFailed
            }
            guard length < bytes.count else { return SQLITE_OK }
            // SQLite expects the rest to be zero.
            UnsafeMutableRawBufferPointer(rebasing: bytes[length...]).initializeMemory(
                as: UInt8.self, repeating: 0)
            return readWasShort
        }
        methods.xWrite = { _, _, _, _ in SQLITE_READONLY }
        methods.xTruncate = { _, _ in SQLITE_READONLY }
        methods.xSync = { _, _ in SQLITE_OK }
        methods.xFileSize = { file, size in
            guard let open = openFile(file) else { return SQLITE_IOERR }
            size?.pointee = sqlite3_int64(open.file.byteCount)
            return SQLITE_OK
        }
        // Nothing writes, so there is nothing to lock.
        methods.xLock = { _, _ in SQLITE_OK }
        methods.xUnlock = { _, _ in SQLITE_OK }
        methods.xCheckReservedLock = { _, result in
            result?.pointee = 0
            return SQLITE_OK
        }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { _ in 4_096 }
        methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_IMMUTABLE }
        let pointer = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        pointer.initialize(to: methods)
        return pointer
    }()
}
