// swift-tools-version: 6.3
import Foundation
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func system(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

// The commit that `--version` reports. Release builds set the variable: see scripts/version.
let commit = (Context.environment["AUDIO_COMPANION_COMMIT"] ?? "").filter {
    $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+")
}

// AAC and ALAC need libavcodec 59.24 or later (ffmpeg 5.1). Without its headers, or with this variable, the package is built without
// them. The package manager remembers the answer: `swift package purge-cache` after installing the library.
let hasAVCodec: Bool = {
    guard Context.environment["AUDIO_COMPANION_WITHOUT_LIBAVCODEC"] == nil else { return false }
    let places = ["/usr/include", "/usr/local/include", "/usr/include/ffmpeg", "/opt/homebrew/include"]
    let architectures = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/include")) ?? []
    let folders = places + architectures.filter { $0.hasSuffix("-linux-gnu") }.map { "/usr/include/\($0)" }
    return folders.contains { FileManager.default.fileExists(atPath: "\($0)/libavcodec/avcodec.h") }
}()
let codecs: [SwiftSetting] = hasAVCodec ? strict + [.define("LIBAVCODEC")] : strict

let package = Package(
    name: "audio-companion",
    products: [
        .library(name: "MPEGAudio", targets: ["MPEGAudio"]),
        .library(name: "MusicalStructure", targets: ["MusicalStructure"]),
        .library(name: "Analyzer", targets: ["Analyzer"]),
        .library(name: "MusicShared", targets: ["MusicShared"]),
        .executable(name: "analyze-cli", targets: ["analyze-cli"]),
        .executable(name: "stream-host", targets: ["stream-host"]),
        .executable(name: "stream-player", targets: ["stream-player"]),
        .library(name: "StreamClient", targets: ["StreamClient"]),
        .library(name: "StreamClientHost", targets: ["StreamClientHost"]),
        .library(name: "StreamClientLinux", targets: ["StreamClientLinux"]),
    ],
    targets: [
        // C libraries from the distribution.
        system("CMPG123", pkgConfig: "libmpg123", apt: "libmpg123-dev"),
        system("CSYN123", pkgConfig: "libsyn123", apt: "libmpg123-dev"),
        system("CFLAC", pkgConfig: "flac", apt: "libflac-dev"),
        system("COpus", pkgConfig: "opus", apt: "libopus-dev"),
        system("CVorbis", pkgConfig: "vorbis", apt: "libvorbis-dev"),
        system("CEBUR128", pkgConfig: "libebur128", apt: "libebur128-dev"),
        system("CChromaprint", pkgConfig: "libchromaprint", apt: "libchromaprint-dev"),
        system("CSWResample", pkgConfig: "libswresample", apt: "libswresample-dev"),
        system("CFFTW", pkgConfig: "fftw3f", apt: "libfftw3-dev"),
        system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        system("CPostgreSQL", pkgConfig: "libpq", apt: "libpq-dev"),
        system("CXXHash", pkgConfig: "libxxhash", apt: "libxxhash-dev"),
        system("CCairo", pkgConfig: "cairo", apt: "libpango1.0-dev"),
        system("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        // Debian's libwslay-dev has no .pc: the module map names the library.
        .systemLibrary(
            name: "CWslay", path: "Sources/CLibraries/CWslay", providers: [.apt(["libwslay-dev"])]),
        // Its .pc contains -pthread, which the package manager rejects: the module map names the library.
        .systemLibrary(
            name: "CGdkPixbuf", path: "Sources/CLibraries/CGdkPixbuf",
            providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),
        // Debian's libmp3lame-dev has no .pc: the module map names the library.
        .systemLibrary(
            name: "CLAME", path: "Sources/CLibraries/CLAME", providers: [.apt(["libmp3lame-dev"])]),
        system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        system("CArchive", pkgConfig: "libarchive", apt: "libarchive-dev"),
        system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-gnutls-dev"),
        system("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
        system("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev"),
        // Its .pc contains -D_REENTRANT, which the package manager rejects: the module map names the libraries.
        .systemLibrary(
            name: "CAvahi", path: "Sources/CLibraries/CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        // Its .pc contains unnecessary flags: the module map names the library.
        .systemLibrary(
            name: "CALSA", path: "Sources/CLibraries/CALSA", providers: [.apt(["libasound2-dev"])]),
        system("CQREncode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
        .target(
            name: "CTagLib", path: "Sources/CLibraries/CTagLib",
            linkerSettings: [.linkedLibrary("tag"), .linkedLibrary("z")]),

        .target(
            name: "CErrorPages", path: "Sources/CLibraries/CErrorPages",
            linkerSettings: [.linkedLibrary("microhttpd")]),
        .target(
            name: "CBuildCommit", path: "Sources/CLibraries/CBuildCommit",
            cSettings: [.define("BUILD_COMMIT", to: "\"\(commit)\"")]),
        .target(name: "CHeldSend", path: "Sources/CLibraries/CHeldSend"),
        .target(name: "CFaultGuard", path: "Sources/CLibraries/CFaultGuard"),
        .target(name: "CFileCopy", path: "Sources/CLibraries/CFileCopy"),
        .target(name: "CChildProgram", path: "Sources/CLibraries/CChildProgram"),
        .target(name: "CThreadPriority", path: "Sources/CLibraries/CThreadPriority"),

        // Pure Swift.
        .target(name: "AudioFrames", path: "Sources/AudioFormats/AudioFrames", swiftSettings: strict),
        .target(
            name: "MPEGAudio", dependencies: ["AudioFrames"], path: "Sources/AudioFormats/MPEGAudio",
            swiftSettings: strict),
        .target(
            name: "FLACAudio", dependencies: ["AudioFrames", "MPEGAudio"],
            path: "Sources/AudioFormats/FLACAudio",
            swiftSettings: strict),
        .target(name: "CueSheets", path: "Sources/AudioFormats/CueSheets", swiftSettings: strict),
        .target(name: "AudioChannels", path: "Sources/AudioFormats/AudioChannels", swiftSettings: strict),
        .target(
            name: "MP4Audio", dependencies: ["AudioFrames"], path: "Sources/AudioFormats/MP4Audio",
            swiftSettings: strict),
        .target(
            name: "PCMAudio", dependencies: ["AudioChannels", "AudioFrames"],
            path: "Sources/AudioFormats/PCMAudio",
            swiftSettings: strict),
        .target(
            name: "OggAudio", dependencies: ["AudioFrames", "MPEGAudio"],
            path: "Sources/AudioFormats/OggAudio",
            swiftSettings: strict),
        .target(
            name: "FragmentedMP4", path: "Sources/AudioFormats/FragmentedMP4", swiftSettings: strict),
        // Knows which formats can be decoded.
        .target(name: "MusicShared", swiftSettings: codecs),

        // Thin, safe Swift wrappers around one C library or interface of the system each.
        library("FileSystem", ["CFileCopy"]),
        library("Threads", ["CThreadPriority"]),
        library("SQLiteDatabase", ["CSQLite", "FileSystem"]),
        library("PostgreSQLDatabase", ["CPostgreSQL"]),
        library("Tagging", ["CTagLib", "FileSystem"]),
        library("Crypto", ["CCrypto"]),
        library(
            "HTTPServer",
            [
                "CErrorPages", "CHeldSend", "CMicroHTTPD", "Crypto", "CZlib", "FileSystem", "Threads",
                "WebSockets",
            ]),
        // Framing of WebSockets, for both ends.
        library("WebSockets", ["CWslay"]),
        library("Secrets", ["CSodium"]),
        library("Discovery", ["CAvahi", "Threads"]),
        library("MP3Encoder", ["CLAME"]),
        library("ZipArchive", ["CArchive"]),
        library("HTTPClient", ["CCurl", "Crypto", "FileSystem", "Threads"]),
        library("CoverImage", ["CGdkPixbuf"]),
        library("MP3Decoder", ["CMPG123", "CSYN123"]),
        library("FLACDecoder", ["CFLAC"]),
        library("OpusDecoder", ["COpus"]),
        library("VorbisDecoder", ["CVorbis"]),
        // Compiles without libavcodec, and then decodes nothing.
        .target(
            name: "AVDecoder",
            dependencies: ["AudioChannels", "MP4Audio"] + (hasAVCodec ? ["CAVCodec"] : []),
            swiftSettings: codecs),

        // Application modules.
        // Tempo, beats, bars, phrases and key, from spectra and samples.
        library("MusicalStructure", ["CFFTW"]),
        library(
            "Analyzer",
            [
                "AVDecoder", "AudioChannels", "AudioFrames", "FLACAudio", "FLACDecoder", "FileSystem",
                "MP3Decoder", "MP4Audio", "MPEGAudio", "MusicShared", "MusicalStructure", "OggAudio",
                "OpusDecoder", "PCMAudio", "VorbisDecoder", "CChromaprint", "CEBUR128",
                "CSWResample", "CXXHash", "CFaultGuard",
            ]),
        // The databases: catalogue and analyses, spectra, listening data, pending work.
        library(
            "LibraryStore",
            [
                "MusicalStructure", "Analyzer", "Catalogue", "FileSystem", "MusicShared", "SQLiteDatabase",
                "Tagging", "Threads",
            ]),
        // Listening data that several hosts share in PostgreSQL.
        library(
            "SharedListening", ["Crypto", "LibraryStore", "PostgreSQLDatabase", "SQLiteDatabase", "Threads"]),
        // Connects to radio stations for all listeners, and keeps the last hour.
        library(
            "RadioRelay",
            ["Crypto", "FileSystem", "HTTPClient", "MP4Audio", "MPEGAudio", "MusicShared", "Threads"]),
        // Reads and changes music files: scan, edits, uploads, trash, lyrics.
        library(
            "MusicFiles",
            [
                "MusicalStructure", "Analyzer", "CueSheets", "FileSystem", "LibraryStore", "MPEGAudio",
                "MusicShared", "OggAudio", "Tagging",
                "ZipArchive",
            ]),
        // The queue of analyses, the pass over a folder, watching it, exports.
        library(
            "Companion",
            [
                "MusicalStructure", "Analyzer", "Catalogue", "CueSheets", "FileSystem", "LibraryStore",
                "MusicFiles",
                "MusicShared",
                "SQLiteDatabase", "Tagging", "Threads",
            ]),
        // Plans the analysis of a large library, runs its parts on any number of machines, and merges their results.
        library(
            "BatchAnalysis",
            [
                "Analyzer", "Companion", "FileSystem", "HTTPClient", "LibraryStore", "MusicFiles",
                "SQLiteDatabase", "Threads",
            ]),
        // Describes routes: OpenAPI, AsyncAPI, the reference page; checks requests against the description.
        library("APIDescription", ["HTTPServer", "LibraryStore", "MusicShared"]),
        // Who may do what: keys, accounts, app passwords, tokens, other services' access.
        library(
            "HostAccounts",
            [
                "APIDescription", "Catalogue", "Crypto", "FileSystem", "HTTPClient", "HTTPServer",
                "LibraryStore",
                "MusicShared", "CQREncode", "Scrobbling", "Secrets", "SQLiteDatabase", "Threads",
            ]),
        // Routes for audio and pictures: HLS, ranges, the low quality, spectra, covers.
        library(
            "HostStreams",
            [
                "APIDescription", "Analyzer", "AudioFrames", "Catalogue", "Companion", "CoverImage",
                "FLACAudio", "FileSystem", "FragmentedMP4", "HostAccounts",
                "HTTPServer", "LibraryStore", "MP3Decoder", "MP3Encoder", "MP4Audio", "MPEGAudio",
                "MusicFiles",
                "MusicShared", "MusicalStructure", "OggAudio", "Tagging", "Threads",
            ]),
        // Routes that change music files: tags, uploads, lyrics, trash.
        library(
            "HostEditing",
            [
                "APIDescription", "Analyzer", "Catalogue", "Companion", "HTTPServer", "LibraryStore",
                "MusicFiles",
                "MusicShared", "Tagging", "Threads",
            ]),
        // The host: all other routes, and what connects them.
        library(
            "StreamHost",
            [
                "MusicalStructure", "APIDescription", "Analyzer", "Catalogue", "Companion", "CoverImage",
                "FileSystem",
                "HostAccounts",
                "HostEditing", "HostStreams", "HTTPServer", "LibraryStore", "MPEGAudio", "MusicFiles",
                "FragmentedMP4", "HTTPClient", "Jukebox", "MusicShared", "OpenSubsonic", "RadioRelay",
                "Secrets",
                "SQLiteDatabase", "StreamClient", "StreamClientLinux", "Subsonic", "Tagging", "Threads",
                "WebPlayer",
            ]),
        // The web player; its files are installed next to the executable.
        .target(
            name: "WebPlayer", dependencies: ["FileSystem"], resources: [.copy("Site")], swiftSettings: strict
        ),
        library("Subsonic", ["Crypto", "HTTPClient", "Threads"]),
        // Names recordings by their fingerprints.
        library("AcoustID", ["HTTPClient", "Tagging", "Threads"]),
        // Forwards plays to ListenBrainz and Last.fm.
        library("Scrobbling", ["Crypto", "HTTPClient", "SQLiteDatabase"]),
        // The answers of the OpenSubsonic API: types and their encoding, no server.
        library("OpenSubsonic"),
        // The client's networking, library, cache and playback engine, for any platform: see scripts/check-dependencies.
        library(
            "StreamClient",
            [
                "AVDecoder", "AudioFrames", "AudioChannels", "Catalogue", "Crypto", "FLACAudio",
                "FLACDecoder",
                "FileSystem",
                "MP3Decoder", "MPEGAudio", "MusicShared", "OggAudio", "MP4Audio", "PCMAudio", "OpusDecoder",
                "SQLiteDatabase",
                "VorbisDecoder",
            ]),
        // The client's access to a host: its library, copies of it, and the remote channel.
        library(
            "StreamClientHost", ["Catalogue", "MusicShared", "SQLiteDatabase", "StreamClient"]),
        // The platform of the client: HTTP, WebSockets, service discovery and a sound device.
        library(
            "StreamClientLinux",
            [
                "CALSA", "Crypto", "Discovery", "HTTPClient", "StreamClient", "StreamClientHost", "Threads",
                "WebSockets",
            ]),
        // The host's own player: a queue of the library's tracks, through the sound card or into a FIFO.
        library("Jukebox", ["FileSystem", "MusicShared", "StreamClient", "StreamClientLinux"]),
        library("Catalogue", ["MusicShared", "SQLiteDatabase", "Threads"]),
        // Arguments, messages and settings of the executables.
        library("CommandLineProgram", ["CBuildCommit", "FileSystem", "Subsonic"]),
        library(
            "TrackView",
            [
                "MusicalStructure", "Companion", "Analyzer", "FileSystem", "LibraryStore", "MusicShared",
                "Tagging", "CCairo",
            ]),
        .executableTarget(
            name: "analyze-cli",
            dependencies: [
                "AcoustID", "BatchAnalysis", "CommandLineProgram", "Companion", "Analyzer", "FileSystem",
                "LibraryStore",
                "MusicFiles", "MusicShared", "SQLiteDatabase", "Subsonic", "Tagging", "TrackView",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "stream-host",
            dependencies: [
                "CChildProgram", "CommandLineProgram", "StreamHost", "Companion", "Discovery", "FileSystem",
                "HostAccounts", "HostEditing", "HTTPClient", "HTTPServer", "Jukebox", "LibraryStore",
                "MusicFiles", "MusicShared", "PostgreSQLDatabase", "RadioRelay", "SharedListening",
                "StreamClient",
                "Subsonic", "Threads", "WebPlayer",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "stream-player",
            dependencies: [
                "Catalogue", "CommandLineProgram", "FileSystem", "MusicShared", "StreamClient",
                "StreamClientHost", "StreamClientLinux", "Threads",
            ],
            swiftSettings: strict),

        // Measures the cost of writing to the stores: Benchmarks/store/run.
        .executableTarget(
            name: "store-benchmark",
            dependencies: ["Analyzer", "Companion", "LibraryStore", "Tagging"],
            path: "Benchmarks/store", exclude: ["README.md", "run"], swiftSettings: strict),

        // Tests.
        .target(name: "CSpawn", path: "Tests/CSpawn"),
        .target(
            name: "TestSupport", dependencies: ["CSpawn", "MusicShared"], path: "Tests/TestSupport",
            exclude: ["Clients", "Files"], swiftSettings: strict),
        tests("MPEGAudioTests", ["MPEGAudio", "TestSupport"]),
        tests("CueSheetsTests", ["CueSheets", "TestSupport"]),
        tests("FLACAudioTests", ["AudioFrames", "FLACAudio", "TestSupport"]),
        tests("PCMAudioTests", ["AudioFrames", "AudioChannels", "PCMAudio", "TestSupport"]),
        tests("OggAudioTests", ["AudioFrames", "OggAudio", "TestSupport"]),
        tests("MP4AudioTests", ["AudioFrames", "MP4Audio", "TestSupport"]),
        tests("FragmentedMP4Tests", ["AudioFrames", "FragmentedMP4", "FLACAudio", "TestSupport"]),
        tests("MusicSharedTests", ["MusicShared", "TestSupport"]),
        tests("FileSystemTests", ["FileSystem", "TestSupport"]),
        tests("SQLiteDatabaseTests", ["SQLiteDatabase", "TestSupport"]),
        tests("TaggingTests", ["Tagging", "TestSupport"]),
        // The tests run clients written in Python.
        .testTarget(
            name: "HTTPServerTests", dependencies: ["HTTPServer", "TestSupport"], exclude: ["Clients"],
            swiftSettings: strict),
        tests(
            "AnalyzerTests",
            [
                "AudioFrames", "Analyzer", "FileSystem", "MP4Audio", "MPEGAudio", "MusicShared",
                "MusicalStructure", "TestSupport",
            ]),
        tests("MusicalStructureTests", ["Analyzer", "MusicalStructure", "TestSupport"]),
        // Edits a file until a test kills it.
        .executableTarget(
            name: "tag-edit-probe", dependencies: ["LibraryStore", "MusicFiles", "Tagging"],
            path: "Tests/tag-edit-probe",
            swiftSettings: strict),
        tests("ThreadsTests", ["Threads"]),
        tests("WebSocketsTests", ["WebSockets"]),
        tests(
            "CompanionTests",
            [
                "MusicalStructure", "Companion", "Analyzer", "Catalogue", "FileSystem", "LibraryStore",
                "MPEGAudio",
                "MusicFiles",
                "MusicShared",
                "PostgreSQLDatabase", "SharedListening", "SQLiteDatabase", "Tagging", "TestSupport",
                "Threads",
                "tag-edit-probe",
            ]),
        tests(
            "BatchAnalysisTests",
            [
                "Analyzer", "BatchAnalysis", "Companion", "FileSystem", "HTTPClient", "LibraryStore",
                "MusicFiles",
                "SQLiteDatabase", "TestSupport",
            ]),
        tests("HTTPClientTests", ["HTTPClient", "TestSupport"]),
        tests(
            "RadioRelayTests",
            [
                "HTTPClient", "MP4Audio", "MPEGAudio", "MusicShared", "RadioRelay",
                "TestSupport",
            ]),
        tests("CryptoTests", ["Crypto", "TestSupport"]),
        tests("SecretsTests", ["Secrets"]),
        tests("PostgreSQLDatabaseTests", ["PostgreSQLDatabase", "TestSupport"]),
        tests("ZipArchiveTests", ["ZipArchive", "TestSupport"]),
        tests("CommandLineProgramTests", ["CommandLineProgram", "TestSupport"]),
        tests("OpenSubsonicTests", ["OpenSubsonic"]),
        tests("SubsonicTests", ["Subsonic", "HTTPClient", "TestSupport"]),
        tests("AcoustIDTests", ["AcoustID", "HTTPClient", "Tagging", "TestSupport"]),
        tests("ScrobblingTests", ["Scrobbling", "HTTPClient", "HTTPServer", "TestSupport"]),
        // Simulated time and network for tests of the client.
        .target(
            name: "ClientTestSupport",
            dependencies: ["MPEGAudio", "MusicShared", "StreamClient", "TestSupport"],
            path: "Tests/ClientTestSupport", swiftSettings: strict),
        tests(
            "StreamClientTests",
            [
                "ClientTestSupport", "MPEGAudio", "MusicShared", "StreamClient", "StreamClientHost",
                "TestSupport",
            ]),
        tests(
            "StreamClientLinuxTests",
            [
                "Catalogue", "ClientTestSupport", "Crypto", "HTTPServer", "MusicShared", "SQLiteDatabase",
                "StreamClient", "StreamClientHost", "StreamClientLinux", "TestSupport", "WebSockets",
            ]),
        // Sends random commands to the player's engine; also built with the thread sanitizer.
        .executableTarget(
            name: "playback-stress", dependencies: ["StreamClient"],
            path: "Tests/playback-stress", swiftSettings: strict),
        tests("MP3DecoderTests", ["MP3Decoder", "MPEGAudio", "TestSupport"]),
        tests("MP3EncoderTests", ["MP3Decoder", "MP3Encoder", "MPEGAudio", "TestSupport"]),
        tests("CoverImageTests", ["CoverImage", "TestSupport"]),
        .testTarget(
            name: "StreamHostTests",
            dependencies: [
                "MusicalStructure", "StreamHost", "APIDescription", "Analyzer", "AudioFrames", "Catalogue",
                "Companion",
                "CoverImage",
                "FileSystem",
                "HostAccounts",
                "HostEditing", "HostStreams", "HTTPClient", "HTTPServer", "Jukebox", "LibraryStore",
                "MP4Audio", "MPEGAudio", "MusicFiles", "OggAudio", "PostgreSQLDatabase", "RadioRelay",
                "SharedListening", "StreamClient",
                "MusicShared", "Scrobbling", "Secrets", "SQLiteDatabase", "Subsonic", "Tagging",
                "TestSupport", "Threads", "WebPlayer",
            ], exclude: ["Clients"], swiftSettings: strict),
        // Runs the web page in a real browser against a real host.
        .testTarget(
            name: "BrowserTests",
            dependencies: [
                "StreamHost", "Analyzer", "Companion", "HostAccounts", "HostEditing", "HTTPClient",
                "HTTPServer", "Jukebox", "LibraryStore", "MPEGAudio", "MusicFiles", "MusicShared",
                "RadioRelay",
                "Secrets", "Tagging",
                "TestSupport",
                "WebPlayer",
            ], exclude: ["Scripts"], swiftSettings: strict),
        tests(
            "TrackViewTests",
            [
                "MusicalStructure", "TrackView", "Companion", "Analyzer", "LibraryStore", "MusicFiles",
                "MusicShared", "Tagging", "TestSupport",
            ]),
        // The tests run clients written in Python, and a program that replaces cloudflared.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "analyze-cli", "stream-host", "stream-player", "playback-stress", "MPEGAudio", "MusicShared",
                "SQLiteDatabase", "TestSupport",
            ],
            exclude: ["Clients"], swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)

if hasAVCodec {
    package.targets.append(system("CAVCodec", pkgConfig: "libavcodec", apt: "libavcodec-dev"))
}
