internal import Glibc

extension Database {
    /// Writes a consistent, compact copy of the whole database into a new file, while other connections go
    /// on reading and writing.
    ///
    /// The copy is a plain file without write-ahead log. It is built beside the destination and moved into
    /// place when it is complete and on the disk, so that no reader ever sees half of it; a file that was
    /// there before is replaced.
    /// - Parameter destination: the path of the copy.
    public func writeSnapshot(to destination: String) throws(DatabaseError) {
        let partial = "\(destination).\(getpid()).partial"
        unlink(partial)
        do throws(DatabaseError) {
            try execute("VACUUM INTO ?", [partial])
            try synchronize(partial)
            guard rename(partial, destination) == 0 else {
                throw systemError("cannot move the snapshot into place", path: destination)
            }
        } catch {
            unlink(partial)
            throw error
        }
    }

    /// Looks for damage: nil if the file is sound, otherwise what is wrong. Reads the whole file.
    public func damage() throws(DatabaseError) -> String? {
        let report: String? = try scalar("PRAGMA quick_check(1)")
        return report == "ok" ? nil : report
    }

    private func synchronize(_ file: String) throws(DatabaseError) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("cannot open the snapshot", path: file) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw systemError("cannot write the snapshot", path: file) }
    }

    private func systemError(_ what: String, path: String) -> DatabaseError {
        DatabaseError(.inputOutput, message: "\(what): \(String(cString: strerror(errno)))", path: path)
    }
}
