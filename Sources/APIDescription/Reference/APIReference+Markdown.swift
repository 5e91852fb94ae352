internal import HTTPServer

extension APIReference {
    /// The reference as the document `docs/api.md`.
    package var markdown: String {
        var lines = [
            "# API", "",
            "<!-- Generated from the host's OpenAPI description. Regenerate: RECORD_API_REFERENCE=1 swift test "
                + "--filter APIReferenceTests -->", "",
        ]
        for paragraph in introduction { lines += [Self.escaped(paragraph), ""] }
        lines += [
            "The host serves this reference as a page with a form for each request at `/docs`, and for programs at "
                + "[`/openapi.json`](#get-openapijson) (OpenAPI 3.1); the messages of both WebSockets are in "
                + "[`/asyncapi.json`](#get-asyncapijson) (AsyncAPI 3).", "",
            "Send the key as `Authorization: Bearer KEY`; `stream-host key show` prints it. Players that cannot send "
                + "header fields append a token as `?token=`; `POST /auth/token` issues tokens for one track, album or "
                + "playlist.", "",
            "Operations marked **ETag** answer `If-None-Match` with 304; those marked **ranges** answer `Range` with "
                + "206. Names in *italics* are optional.", "",
            "## Operations", "", "| request | summary |", "| --- | --- |",
        ]
        for section in sections {
            lines.append("| **\(section.name)** | |")
            for operation in section.operations {
                let title = Self.title(operation)
                lines.append(
                    "| [\(Self.cell(title))](#\(Self.slug(title))) | \(Self.cell(operation.summary)) |")
            }
        }
        lines += ["", "## Common errors", "", "All errors are an [`Error`](#error-object).", ""]
        lines += ["| | status | code | meaning |", "| --- | --- | --- | --- |"]
        for (condition, errors) in Self.commonErrors {
            lines += Self.errorRows(errors).map { "| \(Self.cell(condition)) \($0)" }
        }
        for section in sections {
            lines += ["", "## \(section.name)"]
            for operation in section.operations { lines += Self.lines(operation) }
        }
        lines += ["", "## Objects"]
        for named in schemas { lines += ["", "### `\(named.name)` object", ""] + Self.lines(named.schema) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func title(_ operation: OpenAPIOperation) -> String {
        "\(operation.method.rawValue) \(operation.template)"
    }

    private static func lines(_ operation: OpenAPIOperation) -> [String] {
        var lines = ["", "### \(escaped(title(operation)))", "", "\(escaped(operation.summary))."]
        for paragraph in operation.details?.paragraphs ?? [] { lines += ["", escaped(paragraph)] }
        lines += ["", operation.facts.map { "**\($0)**" }.joined(separator: " · ")]
        if !operation.parameters.isEmpty {
            lines += ["", "| parameter | in | type | meaning |", "| --- | --- | --- | --- |"]
            for parameter in operation.parameters {
                lines.append(
                    "| \(name(parameter.name, parameter.isRequired)) | \(parameter.place.rawValue) | "
                        + "\(type(parameter.schema)) | \(meaning(parameter.meaning, parameter.schema)) |")
            }
        }
        for body in operation.bodies {
            let optional = operation.isBodyRequired ? "" : ", optional"
            lines += ["", "Body\(optional): `\(body.type)`" + contentText(body.schema)]
            lines += rows(body.schema)
        }
        for answer in operation.answers {
            let types = answer.contents.map { "`\($0.type)`" + contentText($0.schema) }
            lines += [
                "",
                "Answer \(answer.status.rawValue): \(escaped(answer.meaning))"
                    + (types.isEmpty ? "" : " " + types.joined(separator: "; ") + "."),
            ]
            for header in answer.headers {
                lines += ["", "Header `\(header.name)`: \(escaped(header.meaning))"]
            }
            for content in answer.contents { lines += rows(content.schema) }
        }
        let errors = operation.ownErrors
        if !errors.isEmpty {
            lines += ["", "| error | code | meaning |", "| --- | --- | --- |"] + errorRows(errors)
        }
        return lines
    }

    private static func lines(_ schema: JSONSchema) -> [String] {
        var lines = schema.meaning.map { [escaped($0), ""] } ?? []
        if schema.rows.isEmpty {
            lines.append(type(schema))
        } else {
            lines += rows(schema).dropFirst()
        }
        return lines
    }

    /// A table of an object's properties after a blank line; nothing for other schemas.
    private static func rows(_ schema: JSONSchema?) -> [String] {
        guard let rows = schema?.rows, !rows.isEmpty else { return [] }
        return ["", "| field | type | meaning |", "| --- | --- | --- |"]
            + rows.map {
                "| \(name($0.name, $0.isRequired)) | \(type($0.schema)) | \(meaning($0.schema.meaning ?? "", $0.schema)) |"
            }
    }

    private static func errorRows(_ errors: [APIError]) -> [String] {
        errors.map { "| \($0.status.rawValue) | `\($0.code)` | \(cell($0.meaning)) |" }
    }

    /// The schema of a content: a link where it has a name.
    private static func contentText(_ schema: JSONSchema?) -> String {
        guard let schema else { return "" }
        switch schema.kind {
        case .reference, .array, .map: return " (\(schema.typeText(style)))"
        default: return ""
        }
    }

    private static func name(_ name: String, _ isRequired: Bool) -> String {
        isRequired ? "`\(name)`" : "*`\(name)`*"
    }

    private static func type(_ schema: JSONSchema) -> String { schema.typeText(style) }

    private static func meaning(_ text: String, _ schema: JSONSchema) -> String {
        ([cell(text)] + schema.notes(style)).filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static let style = ReferenceStyle(
        text: { cell($0) },
        code: { "`\($0.replacing("|", with: "\\|"))`" },
        link: { "[\($0)](#\(slug("\($0) object")))" })

    /// Text in a cell of a table.
    private static func cell(_ text: String) -> String {
        escaped(text).replacing("|", with: "\\|").replacing("\n\n", with: "<br>").replacing("\n", with: " ")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("<", with: "&lt;")
    }

    /// The anchor that renderers of Markdown give to a heading.
    private static func slug(_ heading: String) -> String {
        String(
            heading.lowercased().compactMap { character in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || character == "-" || character == "_"
                    ? character : nil
            })
    }
}
