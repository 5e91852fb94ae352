internal import HTTPServer
internal import MusicShared

extension APIReference {
    /// The reference as a page. `docs.js` adds a form for each operation, `docs.css` its looks; both are the player's files.
    package var html: String {
        let links =
            sections.map { "<a href=\"#\($0.anchor)\">\(Self.text($0.name))</a>" }
            + ["<a href=\"#objects\">Objects</a>", "<a href=\"#errors\">Common errors</a>"]
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>API · Audio Companion</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" href="/player/icons/icon.svg" type="image/svg+xml">
            <link rel="stylesheet" href="/player/reference/reference.css">
            <script type="module" src="/player/reference/reference.js"></script>
            </head>
            <body>
            <header>
            <h1>API</h1>
            \(introduction.map { "<p>\(Self.inline($0))</p>" }.joined(separator: "\n"))
            <p>For programs: <a href="\(Routes.openAPI)">OpenAPI 3.1</a> and, for the WebSockets,
            <a href="\(Routes.asyncAPI)">AsyncAPI 3</a>. <a href="/">Open the player</a></p>
            <form id="access" hidden>
            <label>API key <input id="key" type="password" autocomplete="off" spellcheck="false"></label>
            <label>Filter <input id="filter" type="search" placeholder="path or word" autocomplete="off"></label>
            </form>
            <nav aria-label="Sections">\(links.joined())</nav>
            </header>
            <main>
            \(sections.map(Self.sectionHTML).joined(separator: "\n"))
            <section id="objects"><h2>Objects</h2>
            \(schemas.map(Self.schemaHTML).joined(separator: "\n"))
            </section>
            <section id="errors"><h2>Common errors</h2>
            <div class="table"><table><tr><th></th><th>status</th><th>code</th><th>meaning</th></tr>
            \(Self.commonErrors.flatMap { condition, errors in
                errors.map { "<tr><td>\(Self.inline(condition))</td>\(Self.errorCells($0))</tr>" }
            }.joined(separator: "\n"))
            </table></div></section>
            </main>
            </body>
            </html>

            """
    }

    private static func sectionHTML(_ section: Section) -> String {
        "<section id=\"\(section.anchor)\"><h2>\(text(section.name))</h2>\n"
            + section.operations.map(operationHTML).joined(separator: "\n") + "\n</section>"
    }

    private static func operationHTML(_ operation: OpenAPIOperation) -> String {
        let method = operation.method.rawValue
        let isWebSocket = operation.answer.status == .switchingProtocols
        var parts = [
            """
            <details class="operation" id="\(text(operation.id))"><summary><span class="method \(method.lowercased())">\(method)</span> \
            <code>\(text(operation.template).replacing("/", with: "/<wbr>"))</code> <span class="summary">\(inline(operation.summary))</span></summary>
            """
        ]
        parts += (operation.details?.paragraphs ?? []).map { "<p>\(inline($0))</p>" }
        parts.append("<p class=\"facts\">\(operation.facts.map { "<span>\(text($0))</span>" }.joined())</p>")
        parts.append(
            "<form data-method=\"\(method)\" data-path=\"\(text(operation.template))\"\(isWebSocket ? " data-websocket" : "")>"
        )
        if !operation.parameters.isEmpty {
            parts.append("<h3>Parameters</h3>")
            parts += operation.parameters.map(parameterHTML)
        }
        for body in operation.bodies {
            parts.append(
                "<h3>Body\(operation.isBodyRequired ? "" : " (optional)"): <code>\(text(body.type))</code>\(contentHTML(body.schema))</h3>"
            )
            parts.append(rowsHTML(body.schema))
        }
        if !operation.bodies.isEmpty {
            parts.append(
                "<div class=\"body\" hidden data-types=\"\(text(operation.bodies.map(\.type).joined(separator: " ")))\"></div>"
            )
        }
        parts.append("</form>\n<h3>Answers</h3>")
        for answer in operation.answers {
            let types = answer.contents.map { "<code>\(text($0.type))</code>\(contentHTML($0.schema))" }
            parts.append(
                "<p><b>\(answer.status.rawValue)</b> \(inline(answer.meaning)) \(types.joined(separator: ", "))</p>"
            )
            parts += answer.headers.map {
                "<p>Header <code>\(text($0.name))</code>: \(inline($0.meaning))</p>"
            }
            parts += answer.contents.map { rowsHTML($0.schema) }
        }
        let errors = operation.ownErrors
        if !errors.isEmpty {
            parts.append("<div class=\"table\"><table><tr><th>error</th><th>code</th><th>meaning</th></tr>")
            parts += errors.map { "<tr>\(errorCells($0))</tr>" }
            parts.append("</table></div>")
        }
        parts.append("</details>")
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// A parameter and its field. The fields are only useful with the script, which shows them.
    private static func parameterHTML(_ parameter: OpenAPIParameter) -> String {
        let attributes =
            "data-place=\"\(parameter.place.rawValue)\" name=\"\(text(parameter.name))\" "
            + "aria-label=\"\(text(parameter.name))\"\(parameter.isRequired ? " required" : "")"
        let field: String
        switch parameter.schema.kind {
        case .string(.oneOf(let values)):
            let options = values.map { "<option>\(text($0))</option>" }.joined()
            field = "<select \(attributes)><option value=\"\"></option>\(options)</select>"
        case .boolean:
            field =
                "<select \(attributes)><option value=\"\"></option><option>true</option><option>false</option></select>"
        default:
            let example = parameter.schema.examples.first?.shortText ?? ""
            // The first track is the most likely one to exist.
            let value = parameter.place == .path && !example.isEmpty ? " value=\"\(text(example))\"" : ""
            field =
                "<input \(attributes)\(value) placeholder=\"\(text(example))\" autocomplete=\"off\" spellcheck=\"false\">"
        }
        let needed = parameter.isRequired ? "required" : "optional"
        return """
            <div class="parameter"><div><code>\(text(parameter.name))</code> <span class="type">\
            \(parameter.place.rawValue), \(needed), \(parameter.schema.typeText(style))</span><br>\
            \(meaning(parameter.meaning, parameter.schema))</div><div class="field" hidden>\(field)</div></div>
            """
    }

    private static func schemaHTML(_ named: NamedSchema) -> String {
        """
        <details class="schema" id="schema-\(text(named.name))"><summary><code>\(text(named.name))</code></summary>
        \(named.schema.meaning.map { "<p>\(inline($0))</p>" } ?? "")
        \(named.schema.rows.isEmpty ? "<p>\(named.schema.typeText(style))</p>" : rowsHTML(named.schema))
        </details>
        """
    }

    private static func rowsHTML(_ schema: JSONSchema?) -> String {
        guard let rows = schema?.rows, !rows.isEmpty else { return "" }
        let cells = rows.map { row in
            """
            <tr><td><code>\(text(row.name))</code>\(row.isRequired ? "" : " <small>optional</small>")</td>\
            <td>\(row.schema.typeText(style))</td><td>\(meaning(row.schema.meaning ?? "", row.schema))</td></tr>
            """
        }
        return "<div class=\"table\"><table><tr><th>field</th><th>type</th><th>meaning</th></tr>\n"
            + cells.joined(separator: "\n") + "\n</table></div>"
    }

    private static func contentHTML(_ schema: JSONSchema?) -> String {
        guard let schema else { return "" }
        switch schema.kind {
        case .reference, .array, .map: return " " + schema.typeText(style)
        default: return ""
        }
    }

    private static func errorCells(_ error: APIError) -> String {
        "<td>\(error.status.rawValue)</td><td><code>\(text(error.code))</code></td><td>\(inline(error.meaning))</td>"
    }

    private static func meaning(_ text: String, _ schema: JSONSchema) -> String {
        ([inline(text)] + schema.notes(style)).filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static let style = ReferenceStyle(
        text: { text($0) },
        code: { "<code>\(text($0))</code>" },
        link: { "<a href=\"#schema-\(text($0))\">\(text($0))</a>" })

    /// Text with `code` between backticks.
    private static func inline(_ markdown: String) -> String {
        let pieces = markdown.split(separator: "`", omittingEmptySubsequences: false)
        return pieces.enumerated().map { number, piece in
            let escaped = text(String(piece)).replacing("\n\n", with: "<br>")
            // A backtick without a partner is a character.
            return number.isMultiple(of: 2)
                ? escaped : number == pieces.count - 1 ? "`\(escaped)" : "<code>\(escaped)</code>"
        }.joined()
    }

    /// Text in an element or attribute.
    private static func text(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
