/// On which thread a handler starts.
public enum RouteExecution: Sendable, Hashable {
    /// In a task of its own, on threads that only handlers use; the connection rests meanwhile. For handlers that compute,
    /// wait, or read a database or file.
    case task
    /// On the thread that received the request, up to the first point where the handler really suspends; from there on
    /// it goes on as a task. For handlers that answer within microseconds: while one runs, the thread's other
    /// connections wait.
    case inline
}

/// A route as the table keeps it: its handler with all middleware around it.
struct Route: Sendable {
    let responder: HTTPResponder
    let execution: RouteExecution
    /// What counts its requests.
    var metrics: RouteMetrics?
}
