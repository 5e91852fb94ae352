import Crypto
import Testing
import TestSupport

@Suite("Digests")
struct DigestTests {
    @Test("MD5 matches the test suite of RFC 1321, and md5sum for lengths around the block size")
    func md5() throws {
        for (text, digest) in [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ), (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
        ] {
            #expect(Digest.md5.hexadecimal(of: Array(text.utf8)) == digest)
        }
        let directory = try TemporaryDirectory()
        let lengths = [54, 55, 56, 57, 63, 64, 65, 119, 120, 121, 1000]
        for length in lengths {
            try directory.write((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }, as: "\(length)")
        }
        let run = try ProcessRun.run("md5sum", lengths.map { directory.file("\($0)") })
        for (length, line) in zip(lengths, run.text.split(separator: "\n")) {
            #expect(Digest.md5.hexadecimal(of: try directory.read("\(length)")) == line.prefix(32))
        }
    }

    @Test("SHA-1 matches FIPS 180-4's examples")
    func sha1() {
        for (text, digest) in [
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ), ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ] {
            #expect(Digest.sha1.hexadecimal(of: Array(text.utf8)) == digest)
        }
    }
}
