internal import Glibc

/// A file's path inside the music folder, as the file system's bytes.
///
/// Linux file names are bytes, not text: they need not be UTF-8, and two names that look the
/// same (é as one character or two) are two files. So paths are equal only if all their bytes are.
///
/// ``text`` is the printable form and also identifies the path: no two paths have the same text. It is the
/// path itself if that is valid UTF-8. Each invalid byte becomes U+FFFD followed by two hexadecimal digits,
/// and so do the three bytes of a U+FFFD that is part of the name.
package struct RelativePath: Hashable, Sendable, CustomStringConvertible {
    /// The path's bytes as the file system stores them.
    package let bytes: [UInt8]
    /// The path as text for display, storage and transmission; unique to the path.
    package let text: String

    /// Creates a path from the file system's bytes.
    ///
    /// Nil if it would lead out of the folder or name nothing: empty, absolute, with NUL, or with a component
    /// that is empty, "." or "..".
    package init?(bytes: [UInt8]) {
        guard Self.staysInside(bytes) else { return nil }
        self.bytes = bytes
        text = Self.text(of: bytes)
    }

    /// Creates a path from its text, either from ``text`` or typed by a user. Nil as for bytes.
    package init?(text: String) {
        let bytes = Self.bytes(of: text)
        guard Self.staysInside(bytes) else { return nil }
        self.bytes = bytes
        self.text = Self.mayHoldEscapes(text) ? Self.text(of: bytes) : text
    }

    /// Whether the text is the path itself, byte for byte.
    package var isPlainText: Bool { text.utf8.elementsEqual(bytes) }

    /// The folder that contains the file; nil at the top level.
    package var folder: RelativePath? {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return RelativePath(bytes: Array(bytes[..<slash]))
    }

    /// Whether the path is inside the folder, at any depth.
    package func isInside(_ folder: RelativePath) -> Bool {
        bytes.count > folder.bytes.count && bytes[folder.bytes.count] == UInt8(ascii: "/")
            && bytes.starts(with: folder.bytes)
    }

    /// The last component, as text.
    package var name: String { Self.text(of: nameBytes) }

    /// The last component.
    package var nameBytes: [UInt8] {
        Array(bytes[(bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...])
    }

    /// Same as ``text``.
    package var description: String { text }

    /// Compares the bytes.
    package static func == (a: RelativePath, b: RelativePath) -> Bool {
        // Arrays compare their bytes one by one. The buffers do not outlive the call.
        a.bytes.withUnsafeBytes { a in
            b.bytes.withUnsafeBytes { b in
                guard a.count == b.count, let first = a.baseAddress, let second = b.baseAddress else {
                    return a.count == b.count
                }
                return memcmp(first, second, a.count) == 0
            }
        }
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        // In one call: an array feeds its bytes one by one. The buffer does not outlive the call.
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// Whether every component is a name, and none of them leads upwards.
    private static func staysInside(_ bytes: [UInt8]) -> Bool {
        let slash = UInt8(ascii: "/")
        let dot = UInt8(ascii: ".")
        var length = 0
        var isDots = true
        for byte in bytes {
            if byte == 0 { return false }
            if byte == slash {
                if length == 0 || (isDots && length <= 2) { return false }
                length = 0
                isDots = true
            } else {
                length += 1
                if byte != dot { isDots = false }
            }
        }
        return length > 0 && !(isDots && length <= 2)
    }

    private static let replacement: Unicode.Scalar = "\u{FFFD}"

    private static func text(of bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self),
            !mayHoldEscapes(text) || !text.unicodeScalars.contains(replacement)
        {
            return text
        }
        var text = String.UnicodeScalarView()
        var decoder = UTF8()
        var rest = bytes[...]
        while !rest.isEmpty {
            var iterator = rest.makeIterator()
            decoder = UTF8()
            if case .scalarValue(let scalar) = decoder.decode(&iterator), scalar != replacement {
                text.append(scalar)
                rest = rest.dropFirst(UTF8.width(scalar))
            } else {
                text.append(replacement)
                text.append(contentsOf: hexadecimal(rest[rest.startIndex]).unicodeScalars)
                rest = rest.dropFirst()
            }
        }
        return String(text)
    }

    private static func bytes(of text: String) -> [UInt8] {
        guard mayHoldEscapes(text) else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        let scalars = Array(text.unicodeScalars)
        var index = 0
        while index < scalars.count {
            let digits = scalars[(index + 1)...].prefix(2)
            if scalars[index] == replacement, digits.count == 2,
                digits.allSatisfy(\.properties.isASCIIHexDigit),
                let byte = UInt8(String(String.UnicodeScalarView(digits)), radix: 16)
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(contentsOf: UTF8.encode(scalars[index]) ?? UTF8.encodedReplacementCharacter)
                index += 1
            }
        }
        return bytes
    }

    /// Whether a text may contain U+FFFD: looks for its first byte, 0xEF, which few texts have.
    private static func mayHoldEscapes(_ text: String) -> Bool {
        let found = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0xEF, bytes.count) != nil } ?? false
        }
        return found ?? text.utf8.contains(0xEF)
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}
