/// The metadata blocks of a FLAC file, parsed independently of the code under test.
public struct FLACMetadata: Equatable {
    /// A block.
    public struct Block: Equatable {
        /// Type of the block (RFC 9639 §8.1).
        public var type: UInt8
        /// Content without the header.
        public var content: [UInt8]

        /// Memberwise initializer.
        public init(_ type: UInt8, _ content: [UInt8]) {
            self.type = type
            self.content = content
        }
    }

    /// The bytes before the marker.
    public var front: [UInt8]
    /// The blocks in order.
    public var blocks: [Block]
    /// Everything after the blocks: the audio, and tags at the end.
    public var rest: [UInt8]

    /// Parses a file; nil if it has no complete metadata.
    public init?(_ bytes: [UInt8]) {
        let marker = Array("fLaC".utf8)
        guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: marker) }) else {
            return nil
        }
        front = Array(bytes[..<start])
        blocks = []
        var place = start + 4
        while true {
            guard place + 4 <= bytes.count else { return nil }
            let size = bytes[(place + 1)..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard place + 4 + size <= bytes.count else { return nil }
            blocks.append(Block(bytes[place] & 0x7F, Array(bytes[(place + 4)..<(place + 4 + size)])))
            let isLast = bytes[place] & 0x80 != 0
            place += 4 + size
            if isLast { break }
        }
        rest = Array(bytes[place...])
    }

    /// The file.
    public var bytes: [UInt8] {
        var bytes = front + Array("fLaC".utf8)
        for (index, block) in blocks.enumerated() {
            let last: UInt8 = index + 1 == blocks.count ? 0x80 : 0
            bytes.append(block.type | last)
            bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: block.content.count >> $0) }
            bytes += block.content
        }
        return bytes + rest
    }

    /// The blocks that are neither comments nor padding.
    public var otherBlocks: [Block] { blocks.filter { $0.type != 4 && $0.type != 1 } }

    /// The comments of all blocks in order, and those that are not UTF-8 with U+FFFD.
    public var comments: [String] {
        blocks.filter { $0.type == 4 }.flatMap { Self.comments(of: $0.content) }
    }

    /// Returns the comments of a block.
    public static func comments(of block: [UInt8]) -> [String] {
        func number(_ place: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(block[place + $1]) << (8 * $1) }
        }
        var place = 4 + number(0)
        let count = number(place)
        place += 4
        return (0..<count).map { _ in
            let size = number(place)
            defer { place += 4 + size }
            return String(decoding: block[(place + 4)..<(place + 4 + size)], as: UTF8.self)
        }
    }

    /// Returns a block of comments.
    public static func commentBlock(_ comments: [String], vendor: String = "vendor") -> Block {
        commentBlock(comments.map { Array($0.utf8) }, vendor: vendor)
    }

    /// Returns a block of comments with any bytes.
    public static func commentBlock(_ comments: [[UInt8]], vendor: String = "vendor") -> Block {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        return Block(
            4,
            number(vendor.utf8.count) + Array(vendor.utf8) + number(comments.count)
                + comments.flatMap { number($0.count) + $0 })
    }

    /// Returns a picture block with a description and sizes.
    public static func pictureBlock(
        type: Int, _ data: [UInt8], mimeType: String = "image/png", description: String = "d"
    ) -> Block {
        func number(_ value: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        return Block(
            6,
            number(type) + number(mimeType.utf8.count) + Array(mimeType.utf8)
                + number(description.utf8.count) + Array(description.utf8)
                + number(7) + number(8) + number(24) + number(0) + number(data.count) + data)
    }
}
