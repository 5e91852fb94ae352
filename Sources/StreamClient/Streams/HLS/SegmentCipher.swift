internal import Crypto

/// Decrypts segments (RFC 8216 §4.3.2.4).
enum SegmentCipher {
    /// Returns the decrypted bytes.
    static func decrypt(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) throws(PlaybackError) -> [UInt8] {
        guard key.count == AESDecryption.keyLength, vector.count == AESDecryption.keyLength else {
            throw PlaybackError(.badPlaylist, "invalid stream key")
        }
        guard let plain = AESDecryption.decrypt(bytes, key: key, vector: vector) else {
            throw PlaybackError(.badPlaylist, "a segment cannot be decrypted with its key")
        }
        return plain
    }

    /// The default initialisation vector of a segment: its sequence number, big-endian.
    static func vector(sequence: Int) -> [UInt8] {
        (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: sequence >> (8 * (15 - $0))) }
    }
}
