internal import CQREncode

/// A QR code (ISO/IEC 18004).
package struct QRCode: Sendable, Equatable {
    /// Modules on each side.
    package let size: Int
    /// The modules, row by row: true for a dark one.
    private let modules: [Bool]

    /// Encodes text as the smallest code that stays readable with 15 % of its modules lost (level M).
    /// - Returns: nil if the text is empty or too long for a code: more than 2,331 bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        // Version 0 requests the smallest code that fits.
        guard !bytes.isEmpty, bytes.count <= 2331,
            let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        // The lowest bit of a module is its colour; the others give its function.
        modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    }

    /// Returns whether a module is dark. Modules outside belong to the quiet zone, which is light.
    package subscript(row row: Int, column column: Int) -> Bool {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
        return modules[row * size + column]
    }

    /// Width of the quiet zone in modules (ISO/IEC 18004, section 6.3.8).
    package static let quietZone = 4

    /// Draws the code with its quiet zone in half blocks, two rows of modules a line.
    /// - Parameter isColoured: sets black and white by escape sequences (ECMA-48), so that the code is dark on light
    ///   in any terminal; otherwise light modules are drawn, for terminals that show light text on dark.
    package func lines(isColoured: Bool) -> [String] {
        let places = -Self.quietZone..<(size + Self.quietZone)
        return stride(from: places.lowerBound, to: places.upperBound, by: 2).map { row in
            let line = places.map { column -> Character in
                // An odd number of rows is completed by a row of the quiet zone.
                switch (self[row: row, column: column], self[row: row + 1, column: column]) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }
            return isColoured ? "\u{1B}[97;40m\(String(line))\u{1B}[0m" : String(line)
        }
    }

    /// Draws the code with its quiet zone as an SVG image, black on white whatever the page's colours are: scanners need
    /// dark modules on a light ground.
    package var svg: String {
        let side = size + 2 * Self.quietZone
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                let start = column
                while self[row: row, column: column] { column += 1 }
                if column > start {
                    path +=
                        "M\(start + Self.quietZone) \(row + Self.quietZone)h\(column - start)v1h-\(column - start)z"
                } else {
                    column += 1
                }
            }
        }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(side) \(side)\" "
            + "shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h\(side)v\(side)H0z\"/>"
            + "<path d=\"\(path)\"/></svg>"
    }
}
