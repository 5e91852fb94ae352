/// Extracts the audio of an MPEG-2 transport stream (ISO/IEC 13818-1): the elementary stream of its first program with MP3 or AAC.
struct TransportStreamFeed {
    private static let packetLength = 188
    private static let sync: UInt8 = 0x47
    /// Stream types of MPEG-1 and MPEG-2 audio, and of AAC in ADTS (§2.4.4.9).
    private static let audioTypes: Set<UInt8> = [0x03, 0x04, 0x0F]

    private var buffer: [UInt8] = []
    private var mapPID: Int?
    private var audioPID: Int?

    /// Whether bytes are the start of a transport stream.
    static func begins(_ bytes: [UInt8]) -> Bool {
        bytes.count >= packetLength && bytes[0] == sync
            && (bytes.count <= packetLength || bytes[packetLength] == sync)
    }

    /// Processes the next bytes.
    /// - Returns: the bytes of the elementary stream that they contain.
    mutating func take(_ bytes: [UInt8]) -> [UInt8] {
        buffer += bytes
        var sound: [UInt8] = []
        var position = 0
        while buffer.count - position >= Self.packetLength {
            guard buffer[position] == Self.sync else {
                position = buffer[(position + 1)...].firstIndex(of: Self.sync) ?? buffer.count
                continue
            }
            read(Array(buffer[position..<position + Self.packetLength]), &sound)
            position += Self.packetLength
        }
        buffer.removeFirst(position)
        return sound
    }

    /// Reads a packet (§2.4.3.2).
    private mutating func read(_ packet: [UInt8], _ sound: inout [UInt8]) {
        let pid = Int(packet[1] & 0x1F) << 8 | Int(packet[2])
        let isStart = packet[1] & 0x40 != 0
        let hasError = packet[1] & 0x80 != 0
        let isScrambled = packet[3] & 0xC0 != 0
        var start = 4
        if packet[3] & 0x20 != 0 { start += 1 + Int(packet[4]) }
        guard packet[3] & 0x10 != 0, !hasError, !isScrambled, start < packet.count else { return }
        let payload = packet[start...]
        if pid == 0 {
            mapPID = Self.firstMap(Self.section(payload, isStart)) ?? mapPID
        } else if pid == mapPID {
            audioPID = Self.audio(Self.section(payload, isStart)) ?? audioPID
        } else if pid == audioPID {
            sound += isStart ? Self.content(payload) : payload
        }
    }

    /// Returns the section that starts in a payload; empty without one. Sections of radio stations fit into one packet.
    private static func section(_ payload: ArraySlice<UInt8>, _ isStart: Bool) -> [UInt8] {
        guard isStart, let pointer = payload.first else { return [] }
        let section = Array(payload.dropFirst(1 + Int(pointer)))
        guard section.count >= 3 else { return [] }
        let length = 3 + (Int(section[1] & 0x0F) << 8 | Int(section[2]))
        // Without its checksum.
        return length >= 12 && length <= section.count ? Array(section.prefix(length - 4)) : []
    }

    /// The packets of the first program's map (§2.4.4.3).
    private static func firstMap(_ section: [UInt8]) -> Int? {
        guard section.first == 0 else { return nil }
        return stride(from: 8, to: section.count - 3, by: 4).lazy.compactMap { place -> Int? in
            // Program 0 is the network information.
            guard section[place] != 0 || section[place + 1] != 0 else { return nil }
            return Int(section[place + 2] & 0x1F) << 8 | Int(section[place + 3])
        }.first
    }

    /// The packets of the first audio stream in a program's map (§2.4.4.8).
    private static func audio(_ section: [UInt8]) -> Int? {
        guard section.first == 2, section.count >= 12 else { return nil }
        var place = 12 + (Int(section[10] & 0x0F) << 8 | Int(section[11]))
        while place + 5 <= section.count {
            if audioTypes.contains(section[place]) {
                return Int(section[place + 1] & 0x1F) << 8 | Int(section[place + 2])
            }
            place += 5 + (Int(section[place + 3] & 0x0F) << 8 | Int(section[place + 4]))
        }
        return nil
    }

    /// The content after the header of a packetised elementary stream (§2.4.3.6).
    private static func content(_ payload: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let bytes = Array(payload.prefix(9))
        guard bytes.count == 9, bytes[0] == 0, bytes[1] == 0, bytes[2] == 1 else { return [] }
        return payload.dropFirst(9 + Int(bytes[8]))
    }
}
