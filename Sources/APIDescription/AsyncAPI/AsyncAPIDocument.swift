internal import Foundation
internal import MusicShared

/// The AsyncAPI 3.0 description of the host's WebSockets, from the host's perspective: it receives what
/// clients send.
package struct AsyncAPIDocument: Sendable, Encodable {
    package let channels: [AsyncAPIChannel]
    /// Schemas that messages refer to by name.
    package let schemas: [String: JSONSchema]

    /// Describes the channels of the given groups of routes.
    package init(_ groups: [any DescribedRoutes.Type]) {
        channels = groups.flatMap { $0.channels }
        let all = groups.reduce(into: [:]) { $0.merge($1.schemas) { first, _ in first } }
        // Schemas used only by HTTP responses are left to the OpenAPI document.
        var wanted: [String: JSONSchema] = [:]
        var open = channels.flatMap {
            $0.messages.flatMap(\.payload.references) + ($0.query?.references ?? [])
        }
        while let name = open.popLast() {
            guard wanted[name] == nil, let schema = all[name] else { continue }
            wanted[name] = schema
            open += schema.references
        }
        schemas = wanted
    }

    /// Returns the document as JSON; deterministic for the same routes.
    package func json() throws -> [UInt8] { Array(try JSONEncoder.ofHost.encode(self)) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: OpenAPIKey.self)
        try container.encode("3.0.0", forKey: "asyncapi")
        try container.encode(
            [
                "title": "Audio Companion host: WebSockets",
                "version": "\(StreamingConstants.protocolVersion)",
                "description": """
                All messages are JSON in text frames. The host pings every \(Int(StreamingConstants.pingSeconds)) seconds and \
                disconnects a client that has not answered \(StreamingConstants.missedPingLimit) pings. The HTTP routes are \
                described at \(Routes.openAPI).
                """,
            ], forKey: "info")
        try container.encode("application/json", forKey: "defaultContentType")
        try container.encode(["host": Server()], forKey: "servers")
        try container.encode(
            Dictionary(uniqueKeysWithValues: channels.map { ($0.name, Channel(channel: $0)) }),
            forKey: "channels")
        let operations = channels.flatMap { channel in
            [Operation(channel: channel, sender: .client), Operation(channel: channel, sender: .host)]
        }.filter { !$0.messages.isEmpty }
        try container.encode(
            Dictionary(uniqueKeysWithValues: operations.map { ($0.name, $0) }), forKey: "operations")
        try container.encode(
            Components(messages: channels.flatMap(\.messages), schemas: schemas), forKey: "components")
    }

    private struct Reference: Encodable {
        let target: String

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: OpenAPIKey.self)
            try container.encode(target, forKey: "$ref")
        }
    }

    private struct Server: Encodable {
        /// Differs per host: the address that the description was fetched from.
        let host = "{address}"
        let `protocol` = "ws"
        let description = "The host; `wss` with HTTPS, and through its tunnel."
        let variables = [
            "address": [
                "default": "127.0.0.1:\(StreamingConstants.defaultPort)", "description": "Address and port.",
            ]
        ]
        let security = [Reference(target: "#/components/securitySchemes/key")]
    }

    private struct Channel: Encodable {
        let channel: AsyncAPIChannel

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: OpenAPIKey.self)
            try container.encode(channel.path, forKey: "address")
            try container.encode(channel.title, forKey: "title")
            try container.encode(channel.details, forKey: "description")
            try container.encode(
                Dictionary(
                    uniqueKeysWithValues: channel.messages.map {
                        ($0.name, Reference(target: "#/components/messages/\($0.name)"))
                    }), forKey: "messages")
            try container.encode(["ws": Binding(query: channel.query)], forKey: "bindings")
        }
    }

    private struct Binding: Encodable {
        let method = "GET"
        let query: JSONSchema?
        let bindingVersion = "0.1.0"
    }

    private struct Operation: Encodable {
        let name: String
        let messages: [AsyncAPIChannel.Message]
        private let channel: AsyncAPIChannel
        private let sender: AsyncAPIChannel.Sender

        init(channel: AsyncAPIChannel, sender: AsyncAPIChannel.Sender) {
            self.channel = channel
            self.sender = sender
            messages = channel.messages(from: sender)
            name = channel.name + (sender == .client ? "Receive" : "Send")
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: OpenAPIKey.self)
            try container.encode(sender == .client ? "receive" : "send", forKey: "action")
            try container.encode(Reference(target: "#/channels/\(channel.name)"), forKey: "channel")
            try container.encode(
                sender == .client
                    ? "Messages from clients to the host." : "Messages from the host to clients.",
                forKey: "summary")
            try container.encode(
                messages.map { Reference(target: "#/channels/\(channel.name)/messages/\($0.name)") },
                forKey: "messages")
        }
    }

    private struct Components: Encodable {
        let messages: [AsyncAPIChannel.Message]
        let schemas: [String: JSONSchema]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: OpenAPIKey.self)
            try container.encode(
                Dictionary(uniqueKeysWithValues: messages.map { ($0.name, Message(message: $0)) }),
                forKey: "messages")
            try container.encode(schemas, forKey: "schemas")
            try container.encode(
                [
                    "key": [
                        "type": "http", "scheme": "bearer",
                        "description": "The API key, which `stream-host key show` prints.",
                    ]
                ], forKey: "securitySchemes")
        }
    }

    private struct Message: Encodable {
        let message: AsyncAPIChannel.Message

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: OpenAPIKey.self)
            try container.encode(message.name, forKey: "name")
            try container.encode(message.summary, forKey: "summary")
            try container.encode(message.payload, forKey: "payload")
        }
    }
}

extension JSONSchema {
    /// Names of the schemas that this one refers to.
    package var references: [String] {
        switch kind {
        case .object(let properties): properties.flatMap(\.schema.references)
        case .map(let value): value.references
        case .array(let element, _, _): element.references
        case .reference(let name): [name]
        case .string, .integer, .number, .boolean, .bytes, .anything: []
        }
    }
}
