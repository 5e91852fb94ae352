package import APIDescription
internal import HTTPServer
internal import MusicShared

extension AccountRoutes {
    package static let tag = "Accounts"

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

    private static let limited = APIError.tooManyFailures.when(
        "This address has sent too many wrong passwords for the account.")

    package static let operations = [
        operation(
            .get, Routes.accounts, "accounts", "List the accounts", role: .owner,
            answer: .json("AccountList", "The accounts in the order in which they were created.")),
        operation(
            .post, Routes.accounts, "addAccount", "Create an account", role: .owner,
            body: [
                "name": name, "role": role, "email": email.optional,
                "password": password.orNull.optional,
            ], answer: .json("Account", "The account.").created, errors: [.accountNameTaken, .listeningAway]),
        operation(
            .patch, Routes.account, "changeAccount",
            "Change the role, email address or password of an account", role: .owner,
            body: ["role": role.optional, "email": email.optional, "password": password.optional],
            answer: .json("Account", "The account."), errors: [.mainAccount, .listeningAway]),
        operation(
            .delete, Routes.account, "removeAccount", "Delete an account",
            details: "With its app passwords, stars, ratings, plays, queue, bookmarks and playlists.",
            role: .owner, answer: .done("The account was deleted."),
            errors: [.mainAccount, .listeningAway]),
        operation(
            .put, Routes.ownPassword, "changePassword", "Change the password of one's own account",
            details: "App passwords stay valid.",
            body: [
                "current_password": .text("The current password."), "password": password,
            ], answer: .done("The password was changed."), errors: [limited, .wrongCurrentPassword]),
        operation(
            .delete, Routes.signIn, "signOut", "Revoke the app password of the request",
            answer: .done("The app password was revoked."), errors: [.noAppPassword]),
    ]

    package static let schemas: [String: JSONSchema] = [
        "Account": .object(
            [
                "id": .identifier("Account ID."),
                "name": .text("Name to sign in with.", example: "anna"),
                "role": role,
                "email": .text("Address that Subsonic apps show.").optional,
                "created_at": .time("Creation time"),
            ], "An account."),
        "AccountList": ["items": .array(of: .named("Account"))],
    ]
}

extension SignInRoutes {
    package static let tag = "Accounts"

    package static let operations = [
        operation(
            .post, Routes.signIn, "signIn", "Exchange an account's password for an app password",
            details: """
                The client keeps the app password, sends it as `Authorization: Bearer …`, and forgets the account's password. \
                If the client's name is taken, it gets a number.
                """, access: .open,
            body: [
                "name": .text("The account's name; case does not matter.", example: "anna"),
                "password": .text("The account's password."),
                "client": .text(
                    matching: #"^[^\x00-\x1f\x7f-\x9f]+$"#,
                    "The client's name, which is shown in the list of app passwords.",
                    maximumLength: AppPasswords.nameLimit, example: "Kitchen tablet"),
            ], answer: .json("SignInResponse", "The app password, which is not shown again.").with(.created),
            errors: [
                .wrongPassword,
                .tooManyFailures.when(
                    "This address has sent too many wrong passwords for the account."),
                .busy.when("Too many sign-ins at a time."),
            ])
    ]

    package static let schemas: [String: JSONSchema] = [
        "SignInResponse": [
            "credential": .text("The app password."), "account": .named("Account"),
        ]
    ]
}
