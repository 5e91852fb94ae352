internal import FileSystem
internal import Foundation
internal import SQLiteDatabase

/// A run in a folder, which all machines reach under the same path.
struct RunFolder: RunStorage {
    let place: String

    /// Refers to a folder, which need not exist.
    init(path: String) {
        place = path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
    }

    var scratchFolder: String {
        get throws {
            try make(place)
            return place
        }
    }

    private func path(_ name: String) -> String { "\(place)/\(name)" }

    private func folder(of name: String) -> String {
        String(path(name).utf8.dropLast(Files.name(of: name).count + 1)) ?? place
    }

    func hasFile(_ name: String) -> Bool { (try? Files.status(of: path(name)))?.kind == .file }

    func existing(_ names: [String]) -> Set<String> { Set(names.filter(hasFile)) }

    func contents(of names: [String]) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in names {
            guard let file = try? FileDescriptor.open(path(name)) else { continue }
            found[name] = try file.read(file.status().byteCount)
        }
        return found
    }

    func read<Result>(database name: String, _ body: (Database) throws -> Result) throws -> Result? {
        guard hasFile(name) else { return nil }
        return try body(Database(path: path(name), options: .init(access: .readOnly)))
    }

    func local(_ name: String) -> LocalRunFile { LocalRunFile(path: path(name), isCopy: false) }

    func store(_ file: borrowing FileDescriptor, as name: String) throws {
        try make(folder(of: name))
        let new = try Files.pending(at: path(name))
        try file.copy(0..<file.status().byteCount, to: new.descriptor)
        // Other users of a cluster may read it, as far as the process's mask allows.
        try new.descriptor.setPermissions(Files.newFilePermissions)
        try new.replace(Files.name(of: name))
    }

    func clean(folder name: String, keeping names: [String]) {
        guard let folder = try? Folder(path(name)) else { return }
        for name in folder.names() where !names.contains(where: { name.elementsEqual($0.utf8) }) {
            // A process locks its new file until it is complete.
            if let file = try? folder.open(name, for: .readAndWrite), (try? file.lock(.exclusive)) == true {
                try? folder.removeFile(name)
            }
        }
    }

    func crashFile(_ name: String) throws -> CrashFile {
        try make(folder(of: name))
        let path = path(name)
        do throws(SystemError) {
            let file = try FileDescriptor.open(path, for: .readAndWrite, [.create], permissions: 0o644)
            return CrashFile(descriptor: file, path: path)
        } catch {
            throw BatchError(.run, "cannot be written: \(error)", place: path)
        }
    }

    private func make(_ path: String) throws(BatchError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw BatchError(.run, "cannot create the folder: \(error.localizedDescription)", place: path)
        }
    }
}
