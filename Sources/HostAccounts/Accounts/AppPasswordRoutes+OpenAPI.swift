package import APIDescription
internal import HTTPServer
internal import MusicShared

extension AppPasswordRoutes {
    package static let tag = "Account"

    static let url = QueryParameter<String?>(
        "url", "An http or https address, of up to \(addressLimit) bytes.",
        .text(example: "http://192.168.1.20:8420")
    ).required()

    package static let operations = [
        operation(
            .get, Routes.appPasswords, "appPasswords", "List the app passwords, with the host's addresses",
            details: "OpenSubsonic apps sign in at `/rest` with these passwords only.",
            answer: .json("AppPasswordList", "The app passwords, without the secrets.")),
        operation(
            .post, Routes.appPasswords, "createAppPassword", "Create an app password",
            details: "This answer is the only one that contains the password.",
            body: [
                "name": .text("Name of the app: 1 to 100 characters.", example: "Symfonium")
            ], answer: .json("NewAppPassword", "The app password.").with(.created),
            errors: [.nameTaken.when("There is an app password with this name already.")]),
        operation(
            .delete, Routes.appPassword, "revokeAppPassword", "Revoke an app password",
            details: "The app is refused from its next request on.",
            parameters: [
                OpenAPIParameter.path(
                    "password_id", "ID of the app password.", .text(example: "Yq3vPz0cB1aX"))
            ],
            answer: .done("The app password was revoked."), errors: [.noSuchAppPassword]),
        operation(
            .get, Routes.qrCode, "qrCode", "Draw an address as a QR code",
            parameters: [url], answer: .content(.text("image/svg+xml"), "The code with its quiet zone.")),
    ]

    package static let schemas: [String: JSONSchema] = [
        "AppPasswordList": [
            "user": .text("The user name that apps sign in with.", example: "owner"),
            "addresses": .array(of: .named("ReachableAddress"), "The host's addresses, if known."),
            "items": .array(of: .named("AppPassword"), "The app passwords, oldest first."),
        ],
        "ReachableAddress": [
            "url": .text("The address.", example: "http://192.168.1.20:8420"),
            "kind": .oneOf(
                ReachableAddress.Kind.allCases.map(\.rawValue),
                "Whether it works within the local network, or from anywhere through the tunnel."),
        ],
        "AppPassword": [
            "id": .text("ID of the app password."), "name": .text("Name of the app."),
            "created_at": .time("Time when it was created"),
            "last_used_at": .time("Time of the last use, to within ten minutes").optional,
        ],
        "NewAppPassword": [
            "id": .text("ID of the app password."), "name": .text("Name of the app."),
            "user": .text("The user name that the app signs in with.", example: "owner"),
            "password": .text("The password. It is not shown again."),
        ],
    ]
}
