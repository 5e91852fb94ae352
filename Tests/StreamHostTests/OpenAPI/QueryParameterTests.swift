import HTTPServer
import Testing

@testable import APIDescription

@Suite("Query parameters")
struct QueryParameterTests {
    private enum Colour: String, CaseIterable {
        case red, green
    }

    private func read<Value>(_ parameter: QueryParameter<Value>, _ query: String) throws -> Value {
        try parameter.value(in: QueryParameters(query))
    }

    /// Returns the error of a query: status, code, field and message.
    private func failure<Value>(_ parameter: QueryParameter<Value>, _ query: String) -> HTTPError? {
        #expect(throws: HTTPError.self) { try read(parameter, query) }
    }

    @Test("Numbers have ranges and default values, which the description repeats")
    func numbers() throws {
        let seconds = QueryParameter<Double>("max_seconds", "Overlap.", in: 0...30, default: 12)
        #expect(try read(seconds, "") == 12)
        #expect(try read(seconds, "max_seconds=0.5") == 0.5)
        for text in ["-1", "30.01", "nan", "", "1e", "inf"] {
            let error = try #require(failure(seconds, "max_seconds=\(text)"))
            #expect(error.status == .unprocessableContent && error.code == "invalid_parameter")
            #expect(
                error.field == "max_seconds" && error.message == "max_seconds must be a number from 0 to 30.")
        }
        guard case .number(let limits) = seconds.described.schema.kind else {
            Issue.record("not a number")
            return
        }
        #expect(limits.minimum == 0 && limits.maximum == 30 && !seconds.described.isRequired)
    }

    @Test("A required parameter that is missing is 400; one without a default value is nil")
    func requirement() throws {
        let id = QueryParameter<Int?>(id: "track_id", "ID.")
        #expect(try read(id, "other=1") == nil)
        #expect(try read(id, "track_id=7") == 7)
        #expect(failure(id, "track_id=0")?.status == .unprocessableContent)
        let required = id.required()
        #expect(required.described.isRequired && !id.described.isRequired)
        let missing = try #require(failure(required, ""))
        #expect(missing.status == .badRequest && missing.code == "missing_parameter")
        #expect(try read(required, "track_id=7") == 7)
        #expect(failure(required, "track_id=x")?.code == "invalid_parameter")
    }

    @Test("Names, flags and sort orders")
    func names() throws {
        let colour = QueryParameter<Colour>("colour", "Colour.", default: .green)
        #expect(try read(colour, "") == .green)
        #expect(try read(colour, "colour=red") == .red)
        #expect(failure(colour, "colour=blue")?.message == "colour must be one of red, green.")
        let flag = QueryParameter<Bool>("all", "All.")
        #expect(try !read(flag, "") && read(flag, "all=true") && !read(flag, "all=false"))
        #expect(failure(flag, "all=1") != nil)
        let sort = Query.sort(Colour.self, "Order.")
        #expect(try read(sort, "") == nil)
        let order = try #require(try read(sort, "sort=-green"))
        #expect(order.key == .green && order.isDescending)
        #expect(try read(sort, "sort=red")?.isDescending == false)
        #expect(failure(sort, "sort=--red") != nil)
    }

    @Test("Search text of white space is ignored", arguments: ["", "q=", "q=%20+%09"])
    func emptySearch(query: String) throws {
        #expect(try read(Query.search, query) == nil)
    }
}
