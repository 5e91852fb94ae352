package import APIDescription
internal import HTTPServer
internal import MusicShared

extension AppPasswordRoutes {
    private static let tag = "Account"

    package static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.appPasswords, id: "appPasswords",
            summary: "List the app passwords, with the host's addresses",
            details: "OpenSubsonic apps sign in at `/rest` with these passwords only.", tag: tag,
            access: .key, answer: "The app passwords, without the secrets.",
            contents: [.json(.named("AppPasswordList"))], errors: [.unknownParameter]),
        OpenAPIOperation(
            method: .post, path: Routes.appPasswords, id: "createAppPassword",
            summary: "Create an app password",
            details: "This answer is the only one that contains the password.", tag: tag, access: .key,
            body: .object([
                .always("name", .text("Name of the app: 1 to 100 characters.", example: "Symfonium"))
            ]), status: .created, answer: "The app password.",
            contents: [.json(.named("NewAppPassword"))],
            errors: [
                OpenAPIError(
                    status: .conflict, code: "name_taken",
                    meaning: "There is an app password with this name already.")
            ]),
        OpenAPIOperation(
            method: .delete, path: Routes.appPassword, id: "revokeAppPassword",
            summary: "Revoke an app password",
            details: "The app is refused from its next request on.", tag: tag, access: .key,
            parameters: [.path("password_id", "ID of the app password.", .text(example: "Yq3vPz0cB1aX"))],
            status: .noContent, answer: "The app password was revoked.",
            errors: [
                OpenAPIError(
                    status: .notFound, code: "no_such_app_password",
                    meaning: "There is no app password with this ID.")
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.qrCode, id: "qrCode", summary: "Draw an address as a QR code",
            tag: tag, access: .key,
            parameters: [
                .query(
                    "url", "An http or https address, of up to \(addressLimit) bytes.",
                    .text(example: "http://192.168.1.20:8420"), isRequired: true)
            ], answer: "The code with its quiet zone.", contents: [.text("image/svg+xml")],
            errors: [.badParameter, .missingParameter, .unknownParameter]),
    ]

    package static let schemas = [
        "AppPasswordList": JSONSchema.object([
            .always("user", .text("The user name that apps sign in with.", example: "owner")),
            .always("addresses", .array(of: .named("ReachableAddress"), "The host's addresses, if known.")),
            .always("items", .array(of: .named("AppPassword"), "The app passwords, oldest first.")),
        ]),
        "ReachableAddress": .object([
            .always("url", .text("The address.", example: "http://192.168.1.20:8420")),
            .always(
                "kind",
                .oneOf(
                    ReachableAddress.Kind.allCases.map(\.rawValue),
                    "Whether it works within the local network, or from anywhere through the tunnel.")),
        ]),
        "AppPassword": .object([
            .always("id", .text("ID of the app password.")), .always("name", .text("Name of the app.")),
            .always("created_at", .time("Time when it was created")),
            .maybe("last_used_at", .time("Time of the last use, to within ten minutes")),
        ]),
        "NewAppPassword": .object([
            .always("id", .text("ID of the app password.")), .always("name", .text("Name of the app.")),
            .always("user", .text("The user name that the app signs in with.", example: "owner")),
            .always("password", .text("The password. It is not shown again.")),
        ]),
    ]
}
