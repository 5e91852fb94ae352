internal import APIDescription
package import HTTPServer
package import MusicShared

/// The account that a request acts as.
package struct Caller: Sendable {
    /// The account's id.
    package let accountID: Int
    /// The account's rights; those of a listener for a token.
    package let role: AccountRole
    /// The app password that was used, also to make a token; nil for the API key, and on hosts that require none.
    package var appPassword: AppPasswords.SignIn?
}

extension HTTPRequest {
    /// The account that the request acts as.
    /// - Throws: 401 for a request that was not checked.
    package var caller: Caller {
        get throws(HTTPError) {
            guard let caller = principal as? Caller else {
                throw APIError.missingKey("Sign in first.")
            }
            return caller
        }
    }

    /// Checks that the caller has the rights of a role.
    /// - Throws: 403.
    package func require(_ role: AccountRole) throws(HTTPError) {
        guard try caller.role >= role else {
            throw APIError.roleRequired(
                "This requires the role \(role.rawValue), which your account does not have.")
        }
    }
}
