import Foundation
import TestSupport

/// A decoder that crashes.
enum CrashingDecoder {
    /// A preloaded library that makes the decoder crash on a file containing a certain text.
    private static let library = Result { () throws -> String in
        let folder = try Corpora.folder("crashing-decoder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let source = folder + "/crash.c"
        try Data(
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <string.h>
            int mpg123_feed(void *handle, const unsigned char *bytes, size_t count) {
                int (*feed)(void *, const unsigned char *, size_t) = dlsym(RTLD_NEXT, "mpg123_feed");
                if (bytes && memmem(bytes, count, "CRASH-HERE", 10)) *(volatile int *)8 = 1;
                return feed(handle, bytes, count);
            }
            """.utf8
        ).write(to: URL(filePath: source))
        try ProcessRun.run("cc", ["-shared", "-fPIC", "-O1", "-o", folder + "/crash.so", source, "-ldl"])
        return folder + "/crash.so"
    }

    /// The start of a command that runs a program with that decoder.
    static func command() throws -> [String] { ["env", "LD_PRELOAD=\(try library.get())"] }

    /// An MP3 file on which that decoder crashes.
    static func badFile() -> [UInt8] {
        var bytes = MadeMusic.pieces[4]
        for place in stride(from: bytes.count / 2, to: bytes.count / 2 + 20_000, by: 1_000) {
            bytes.replaceSubrange(place..<place + 10, with: Array("CRASH-HERE".utf8))
        }
        return bytes
    }
}
