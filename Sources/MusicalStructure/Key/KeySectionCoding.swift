/// Keys within a track as bytes, for the database: ``TimedBytes`` with the tonic, plus 12 for minor, and the confidence in 255ths.
package enum KeySectionCoding {
    package static func encode(_ sections: [KeySection]) -> [UInt8] {
        TimedBytes.encode(
            sections.map { section in
                let key = UInt8(section.key.tonic + (section.key.mode == .minor ? 12 : 0))
                return .init(
                    seconds: section.seconds, bytes: [key, TimedBytes.share(section.key.confidence)])
            })
    }

    /// The sections; nil if the bytes are not in this format.
    package static func decode(_ bytes: [UInt8]) -> [KeySection]? {
        guard let entries = TimedBytes.decode(bytes, count: 2), entries.allSatisfy({ $0.bytes[0] < 24 })
        else { return nil }
        return entries.map { entry in
            KeySection(
                seconds: entry.seconds,
                key: MusicalKey(
                    tonic: Int(entry.bytes[0] % 12), mode: entry.bytes[0] < 12 ? .major : .minor,
                    confidence: Double(entry.bytes[1]) / 255))
        }
    }
}
