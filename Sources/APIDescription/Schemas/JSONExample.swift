/// An example or default value in the description.
package enum JSONExample: Sendable, Encodable {
    case text(String)
    case number(Double)

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
    }
}

/// A key in the description document. There are too many to list as enum cases.
package struct OpenAPIKey: CodingKey, ExpressibleByStringLiteral {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
    package init(stringLiteral value: String) { stringValue = value }
}
