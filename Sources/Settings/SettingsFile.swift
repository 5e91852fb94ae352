internal import Foundation

/// A file of settings: lines `name = value`, comments from `#` at the start of a line, values in double quotes where they
/// begin or end with a space.
struct SettingsFile {
    struct Entry: Equatable {
        let name: String
        let value: String
        /// From 1.
        let line: Int
    }

    /// A file of settings is a page of text.
    private static let largest = 1 << 20

    let path: String
    let entries: [Entry]
    /// Whether others than its owner and group may read it.
    let isOpenToOthers: Bool

    /// Reads a file.
    /// - Throws: what keeps it from being read, or each line that is no setting.
    init(path: String) throws(SettingsError) {
        var status = stat()
        // Never opened before it is known to be a file: to open a pipe would wait for a writer.
        guard stat(path, &status) == 0 else {
            throw SettingsError(problems: ["\(path) cannot be read: \(String(cString: strerror(errno)))"])
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largest else {
            throw SettingsError(problems: ["\(path) is no file of settings"])
        }
        guard let bytes = try? Data(contentsOf: URL(filePath: path)) else {
            throw SettingsError(problems: ["\(path) cannot be read: \(String(cString: strerror(errno)))"])
        }
        guard let text = String(data: bytes, encoding: .utf8) else {
            throw SettingsError(problems: ["\(path) is not UTF-8"])
        }
        self.path = path
        isOpenToOthers = status.st_mode & 0o007 != 0
        entries = try Self.entries(text, path: path)
    }

    static func entries(_ text: String, path: String) throws(SettingsError) -> [Entry] {
        var entries: [Entry] = []
        var problems: [String] = []
        var lines: [String: Int] = [:]
        // An editor's mark before the first line is no part of it.
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
                problems.append("\(path):\(line): \(name) was set in line \(first) already")
                continue
            }
            entries.append(Entry(name: name, value: value, line: line))
        }
        if !problems.isEmpty { throw SettingsError(problems: problems) }
        return entries
    }
}
