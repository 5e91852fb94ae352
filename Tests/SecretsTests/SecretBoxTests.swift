import Testing

@testable import Secrets

@Suite("Encryption of small secrets")
struct SecretBoxTests {
    @Test("Only the same key opens a message, and each sealing differs", arguments: [0, 1, 24, 1000])
    func roundTrip(length: Int) throws {
        let box = try #require(SecretBox(key: SecretBytes(random: SecretBox.keyLength)))
        let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = box.seal(message)
        #expect(box.open(sealed) == message)
        #expect(box.seal(message) != sealed)
        let other = try #require(SecretBox(key: SecretBytes(random: SecretBox.keyLength)))
        #expect(other.open(sealed) == nil)
    }

    @Test("A changed or cut message is refused")
    func damage() throws {
        let box = try #require(SecretBox(key: SecretBytes(random: SecretBox.keyLength)))
        let sealed = box.seal(Array("app password".utf8))
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(box.open(changed) == nil)
            #expect(box.open(Array(sealed[..<index])) == nil)
        }
        #expect(SecretBox(key: SecretBytes(random: 16)) == nil)
    }
}
