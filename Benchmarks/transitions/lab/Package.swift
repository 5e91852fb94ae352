// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "stretch-lab",
    dependencies: [.package(name: "audio-companion", path: "../../..")],
    targets: [
        .executableTarget(
            name: "stretch-lab",
            dependencies: [.product(name: "MusicShared", package: "audio-companion")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
