internal import Glibc

/// The properties of a file or folder in the file system.
package struct FileStatus: Hashable, Sendable {
    /// The kind of a directory entry.
    package enum Kind: Sendable {
        case file, folder, link
        /// A device, FIFO or socket.
        case other
    }

    /// Identifies a file on this machine, whatever its names.
    package struct Identity: Hashable, Sendable {
        /// The device of the file system.
        package let device: UInt64
        /// The file's number in it.
        package let inode: UInt64
    }

    package let kind: Kind
    package let identity: Identity
    /// Size in bytes.
    package let byteCount: Int
    /// Permission bits, with set-user-ID, set-group-ID and sticky bit.
    package var permissions: UInt32
    /// Id of the owning user.
    package let owner: UInt32
    /// Id of the owning group.
    package let group: UInt32
    /// Number of hard links.
    package let linkCount: Int
    /// Time of the last change of the content, in nanoseconds since 1970 (UTC).
    package let modificationNanoseconds: Int
    /// Time of the last access, in nanoseconds since 1970 (UTC).
    package let accessNanoseconds: Int

    /// Time of the last change of the content or of the file's properties, in nanoseconds since 1970 (UTC).
    package let changeNanoseconds: Int

    /// Identifies one version of a file: changes when the file is replaced or written to.
    package struct Version: Hashable, Sendable {
        let identity: Identity
        let byteCount: Int
        let modificationNanoseconds: Int
        let changeNanoseconds: Int
    }

    /// The version of the file.
    package var version: Version {
        Version(
            identity: identity, byteCount: byteCount, modificationNanoseconds: modificationNanoseconds,
            changeNanoseconds: changeNanoseconds)
    }

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        byteCount = Int(status.st_size)
        permissions = status.st_mode & 0o7777
        owner = status.st_uid
        group = status.st_gid
        linkCount = Int(status.st_nlink)
        modificationNanoseconds = Self.nanoseconds(status.st_mtim)
        accessNanoseconds = Self.nanoseconds(status.st_atim)
        changeNanoseconds = Self.nanoseconds(status.st_ctim)
    }

    private static func nanoseconds(_ time: timespec) -> Int {
        Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}

extension timespec {
    /// A time in nanoseconds since 1970 (UTC).
    init(nanoseconds: Int) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        // The nanoseconds of a time before 1970 count forwards, too.
        self.init(tv_sec: rest < 0 ? seconds - 1 : seconds, tv_nsec: rest < 0 ? rest + 1_000_000_000 : rest)
    }
}
