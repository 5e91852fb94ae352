// swift-tools-version: 6.2
import PackageDescription

// Uses @testable imports, also in release builds: build with -Xswiftc -enable-testing.
let package = Package(
    name: "similarity-lab",
    dependencies: [.package(name: "audio-companion", path: "../../..")],
    targets: [
        .executableTarget(
            name: "similarity-lab",
            dependencies: [
                .product(name: "Analyzer", package: "audio-companion"),
                .product(name: "MusicalStructure", package: "audio-companion"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
