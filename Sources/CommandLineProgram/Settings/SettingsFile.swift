internal import FileSystem
internal import Foundation

/// A settings file with lines `name = value`; lines starting with `#` are comments, and values that start or end with a space
/// are written in double quotes.
struct SettingsFile {
    struct Entry: Equatable {
        let name: String
        let value: String
        /// Line number, from 1.
        let line: Int
    }

    /// Maximum size of a settings file in bytes.
    private static let largest = 1 << 20

    let path: String
    let entries: [Entry]
    /// Whether users other than its owner and group may read it.
    let isOpenToOthers: Bool

    /// Reads a file.
    /// - Throws: why the file cannot be read, or a message for each invalid line.
    init(path: String) throws(SettingsError) {
        let status: FileStatus
        do throws(SystemError) {
            // Check the type before opening: opening a named pipe would block until a writer appears.
            status = try Files.status(of: path)
        } catch {
            throw SettingsError(problems: ["cannot read \(path): \(error)"])
        }
        guard status.kind == .file, status.byteCount <= Self.largest else {
            throw SettingsError(problems: ["\(path) is not a settings file"])
        }
        let bytes: Data
        do { bytes = try Data(contentsOf: URL(filePath: path)) } catch {
            throw SettingsError(problems: ["cannot read \(path): \(error.localizedDescription)"])
        }
        guard let text = String(data: bytes, encoding: .utf8) else {
            throw SettingsError(problems: ["\(path) is not valid UTF-8"])
        }
        self.path = path
        isOpenToOthers = status.permissions & 0o007 != 0
        entries = try Self.entries(text, path: path)
    }

    static func entries(_ text: String, path: String) throws(SettingsError) -> [Entry] {
        var entries: [Entry] = []
        var problems: [String] = []
        var lines: [String: Int] = [:]
        // Skip a byte order mark.
        let body = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        let rows = body.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, row) in rows.enumerated() {
            let line = index + 1
            let content = row.trimmingCharacters(in: .whitespaces)
            if content.isEmpty || content.hasPrefix("#") { continue }
            guard let equals = content.firstIndex(of: "=") else {
                problems.append("\(path):\(line): expected `name = value`")
                continue
            }
            let name = content[..<equals].trimmingCharacters(in: .whitespaces)
            var value = content[content.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = String(value.dropFirst().dropLast())
            }
            if let first = lines.updateValue(line, forKey: name) {
                problems.append("\(path):\(line): \(name) is already set in line \(first)")
                continue
            }
            entries.append(Entry(name: name, value: value, line: line))
        }
        if !problems.isEmpty { throw SettingsError(problems: problems) }
        return entries
    }
}
