package import Analyzer
internal import FileSystem
package import LibraryStore
internal import MusicShared

/// The cue sheets in a folder, whose contents are not read yet.
package struct FolderCueSheets: Sendable, Equatable {
    /// A cue sheet.
    package struct File: Sendable, Equatable {
        /// The name, without a folder.
        package let name: [UInt8]
        /// The size and modification time.
        package let state: FileState

        /// Memberwise initializer.
        package init(name: [UInt8], state: FileState) {
            self.name = name
            self.state = state
        }
    }

    /// The sheets that are read, sorted by name.
    package let files: [File]

    /// Maximum number of sheets of a folder that are read.
    private static let largestCount = 64
    /// Largest size of a sheet in bytes; larger ones are ignored.
    package static let largestSheet = 1 << 20

    /// Finds the sheets among the entries of a folder.
    init(_ names: [[UInt8]], in folder: borrowing Folder) {
        var files: [File] = []
        for name in names.filter(Self.isSheet).sorted(by: { $0.lexicographicallyPrecedes($1) }).prefix(
            Self.largestCount)
        {
            guard let status = try? folder.status(of: name, followsLinks: true), status.kind == .file else {
                continue
            }
            files.append(File(name: name, state: FileState(status)))
        }
        self.files = files
    }

    /// The sheets of a folder that is no folder of the file system.
    package init(_ files: [File]) {
        self.files = Array(
            files.sorted { $0.name.lexicographicallyPrecedes($1.name) }.prefix(Self.largestCount))
    }

    /// An empty list.
    init() { files = [] }

    /// Whether the folder has no sheets.
    package var areNone: Bool { files.isEmpty }

    /// Identifies the sheets and their state; nil without any.
    private var state: String? {
        guard !files.isEmpty else { return nil }
        var text: [UInt8] = []
        for file in files {
            text += file.name
            text += "/\(file.state.size)/\(file.state.modificationTimeNanoseconds)/".utf8
        }
        return AudioHash(of: text.span.bytes).description
    }

    /// Identifies the sheets that may describe a file; nil without sheets, or if the file's format cannot be divided.
    package func state(for file: RelativePath) -> String? {
        Self.canDivide(file) ? state : nil
    }

    /// Whether a file's name is that of a format that cue sheets are used for.
    package static func canDivide(_ file: RelativePath) -> Bool {
        AudioFormat(fileName: file.nameBytes).map(AudioPart.formats.contains) ?? false
    }

    /// Whether a file's name is that of a cue sheet.
    package static func isSheet(named name: [UInt8]) -> Bool {
        // macOS creates "._name.cue" next to a file on foreign disks: attributes, no sheet.
        name.count > 4 && !name.starts(with: [0x2E, 0x5F])
            && String(decoding: name.suffix(4), as: UTF8.self).lowercased() == ".cue"
    }
}

extension MusicFolder {
    /// The files beside a cue sheet that it may describe.
    package func entries(beside sheet: RelativePath) -> [Entry] {
        guard let folder = try? Folder(folder(of: sheet)) else { return [] }
        return folder.names().compactMap { name in
            RelativePath(bytes: (sheet.folder.map { $0.bytes + [UInt8(ascii: "/")] } ?? []) + name).flatMap {
                path in
                FolderCueSheets.canDivide(path) ? scannedEntry(at: path) : nil
            }
        }
    }

    /// The cue sheets in the folder of a file; none if the file's format cannot be divided, so that its folder need not be listed.
    package func cueSheets(beside file: RelativePath) -> FolderCueSheets {
        guard FolderCueSheets.canDivide(file), let folder = try? Folder(folder(of: file)) else {
            return FolderCueSheets()
        }
        return FolderCueSheets(folder.entries().names, in: folder)
    }
}

extension MusicFolder: CueSheetSource {
    package func contents(of sheet: FolderCueSheets.File, beside file: RelativePath) -> [UInt8]? {
        let place = folder(of: file) + [UInt8(ascii: "/")] + sheet.name
        return try? FileDescriptor.open(place, for: .read, .nonBlocking)
            .readToEnd(limit: FolderCueSheets.largestSheet)
    }

    package func divisibleNames(beside file: RelativePath) -> [String] {
        entries(beside: file).map(\.path.name)
    }

    private func folder(of file: RelativePath) -> [UInt8] { file.folder.map(absolutePath(of:)) ?? pathBytes }
}
