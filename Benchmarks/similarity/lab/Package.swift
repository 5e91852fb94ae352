// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "similarity-lab",
    dependencies: [.package(name: "audio-companion", path: "../../..")],
    targets: [
        .executableTarget(
            name: "similarity-lab", dependencies: [.product(name: "Analyzer", package: "audio-companion")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
