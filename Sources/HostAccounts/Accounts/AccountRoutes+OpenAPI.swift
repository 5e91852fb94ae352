package import APIDescription
internal import HTTPServer
internal import MusicShared

extension AccountRoutes {
    private static let tag = "Accounts"
    private static let account = [OpenAPIResponse.Content.json(.named("Account"))]
    private static let number = OpenAPIParameter.path("account_id", "Account ID.", .identifier(example: 2))

    private static let name = JSONSchema.text(
        matching: #"^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?$"#,
        "Name to sign in with, unique without regard to case.", maximumLength: AccountLimits.nameLength,
        example: "anna")
    private static let role = JSONSchema.oneOf(
        AccountRole.allCases.map(\.rawValue), "Rights; each role includes those before it.")
    private static let email = JSONSchema.text(
        matching: #"^[^\x00-\x1f\x7f-\x9f]+$"#, "Address that Subsonic apps show; the host sends no mail.",
        maximumLength: AccountLimits.emailLength
    ).orNull
    private static let password = JSONSchema.text(
        "At least \(AccountLimits.shortestPassword) characters, at most \(AccountLimits.longestPassword) bytes."
    )

    private static let limited = OpenAPIError(
        status: .tooManyRequests, code: "too_many_failures",
        meaning: "This address has sent too many wrong passwords for the account.")
    private static let nameTaken = OpenAPIError(
        status: .conflict, code: "account_name_taken", meaning: "Another account has this name.")
    private static let mainAccount = OpenAPIError(
        status: .conflict, code: "main_account",
        meaning: "The account of the API key cannot be deleted, and stays an owner.")

    package static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.accounts, id: "accounts", summary: "List the accounts", tag: tag,
            access: .key, role: .owner, answer: "The accounts in the order in which they were created.",
            contents: [.json(.named("AccountList"))]),
        OpenAPIOperation(
            method: .post, path: Routes.accounts, id: "addAccount", summary: "Create an account", tag: tag,
            access: .key, role: .owner,
            body: .object([
                .always("name", name), .always("role", role), .maybe("email", email),
                .maybe("password", password.orNull),
            ]), status: .created, answer: "The account.", contents: account, headers: [.location],
            errors: [nameTaken]),
        OpenAPIOperation(
            method: .patch, path: Routes.account, id: "changeAccount",
            summary: "Change the role, email address or password of an account", tag: tag, access: .key,
            role: .owner, parameters: [number],
            body: .object([.maybe("role", role), .maybe("email", email), .maybe("password", password)]),
            answer: "The account.", contents: account, errors: [.nothing, mainAccount]),
        OpenAPIOperation(
            method: .delete, path: Routes.account, id: "removeAccount", summary: "Delete an account",
            details: "With its app passwords, stars, ratings, plays, queue, bookmarks and playlists.",
            tag: tag, access: .key, role: .owner, parameters: [number], status: .noContent,
            answer: "The account was deleted.", errors: [.nothing, mainAccount]),
        OpenAPIOperation(
            method: .put, path: Routes.ownPassword, id: "changePassword",
            summary: "Change the password of one's own account",
            details: "App passwords stay valid.", tag: tag, access: .key,
            body: .object([
                .always("current_password", .text("The current password.")), .always("password", password),
            ]),
            status: .noContent, answer: "The password was changed.",
            errors: [
                limited,
                OpenAPIError(
                    status: .forbidden, code: "wrong_password", meaning: "The current password is wrong."),
            ]),
        OpenAPIOperation(
            method: .delete, path: Routes.signIn, id: "signOut",
            summary: "Revoke the app password of the request", tag: tag, access: .key, status: .noContent,
            answer: "The app password was revoked.",
            errors: [
                OpenAPIError(
                    status: .conflict, code: "no_app_password",
                    meaning: "The request was made with the API key.")
            ]),
    ]

    package static let schemas: [String: JSONSchema] = [
        "Account": .object(
            [
                .always("id", .identifier("Account ID.")),
                .always("name", .text("Name to sign in with.", example: "anna")),
                .always("role", role),
                .maybe("email", .text("Address that Subsonic apps show.")),
                .always("created_at", .time("Creation time")),
            ], "An account."),
        "AccountList": .object([.always("items", .array(of: .named("Account")))]),
    ]
}

extension SignInRoutes {
    package static let operations = [
        OpenAPIOperation(
            method: .post, path: Routes.signIn, id: "signIn",
            summary: "Exchange an account's password for an app password",
            details: """
                The client keeps the app password, sends it as `Authorization: Bearer …`, and forgets the account's password. \
                If the client's name is taken, it gets a number.
                """, tag: "Accounts", access: .open,
            body: .object([
                .always("name", .text("The account's name; case does not matter.", example: "anna")),
                .always("password", .text("The account's password.")),
                .always(
                    "client",
                    .text(
                        matching: #"^[^\x00-\x1f\x7f-\x9f]+$"#,
                        "The client's name, which is shown in the list of app passwords.",
                        maximumLength: AppPasswords.nameLimit, example: "Kitchen tablet")),
            ]), status: .created, answer: "The app password, which is not shown again.",
            contents: [.json(.named("SignInResponse"))],
            errors: [
                OpenAPIError(
                    status: .unauthorized, code: "wrong_password",
                    meaning: "The name or the password is wrong."),
                OpenAPIError(
                    status: .tooManyRequests, code: "too_many_failures",
                    meaning: "This address has sent too many wrong passwords for the account."),
                OpenAPIError(
                    status: .serviceUnavailable, code: "busy", meaning: "Too many sign-ins at a time."),
            ])
    ]

    package static let schemas: [String: JSONSchema] = [
        "SignInResponse": .object([
            .always("credential", .text("The app password.")), .always("account", .named("Account")),
        ])
    ]
}
