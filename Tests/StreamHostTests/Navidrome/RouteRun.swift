import HTTPServer
@testable import APIDescription

@testable import StreamHost

/// Runs routes without a socket.
enum RouteRun {
    static func answer(_ routes: some DescribedRoutes, _ method: HTTPMethod, _ path: String) async throws -> (
        status: HTTPStatus, bytes: [UInt8]
    ) {
        let router = Router()
        routes.add(to: router)
        let response = await router.build().respond(to: HTTPRequest(method, path))
        guard case .bytes(let bytes) = response.body else { return (response.status, []) }
        return (response.status, bytes)
    }
}
