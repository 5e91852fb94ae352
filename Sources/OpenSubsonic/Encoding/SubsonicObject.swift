/// A value that describes itself as the fields of the protocol.
package protocol SubsonicRepresentable: Sendable {
    /// The fields, in the order in which they are written.
    var object: SubsonicObject { get }
}

/// An element of an answer: fields in order, from which both XML and JSON are written.
///
/// Scalar fields are attributes in XML. An object is a child element; a list is a repeated child element in XML and always
/// an array in JSON.
package struct SubsonicObject: Sendable, Equatable, SubsonicRepresentable {
    /// A field's value.
    package enum Value: Sendable, Equatable {
        /// Text.
        case text(String)
        /// A whole number.
        case integer(Int)
        /// A finite number.
        case number(Double)
        /// True or false.
        case boolean(Bool)
        /// The text of the element itself in XML, a field in JSON.
        case content(String)
        /// A child element.
        case object(SubsonicObject)
        /// Child elements of the same name.
        case objects([SubsonicObject])
        /// Child elements of the same name that hold only text.
        case texts([String])
        /// Child elements of the same name that hold only a whole number.
        case integers([Int])
    }

    /// A field with its name.
    package struct Field: Sendable, Equatable {
        /// The name of the attribute, element or key.
        package let name: String
        /// The value.
        package let value: Value
    }

    /// The fields in the order in which they were added.
    package private(set) var fields: [Field] = []

    /// Creates an element without fields.
    /// - Parameter room: the number of fields that it will have, or a little more: an array that grows by single fields is copied several
    ///   times.
    package init(room: Int = 8) { fields.reserveCapacity(room) }

    /// Creates an element with one list.
    package init(list name: String, _ items: [some SubsonicRepresentable]) {
        add(name, items)
    }

    /// The object itself.
    package var object: SubsonicObject { self }

    /// Adds text; nothing for nil.
    package mutating func add(_ name: String, _ text: String?) {
        if let text { append(name, .text(text)) }
    }

    /// Adds a whole number; nothing for nil.
    package mutating func add(_ name: String, _ number: Int?) {
        if let number { append(name, .integer(number)) }
    }

    /// Adds a number; nothing for nil, infinity and not-a-number, which JSON does not have.
    package mutating func add(_ name: String, _ number: Double?) {
        if let number, number.isFinite { append(name, .number(number)) }
    }

    /// Adds true or false; nothing for nil.
    package mutating func add(_ name: String, _ flag: Bool?) {
        if let flag { append(name, .boolean(flag)) }
    }

    /// Adds a time in ISO 8601, UTC, with milliseconds; nothing for nil and not-a-number.
    /// - Parameter secondsSince1970: the time.
    package mutating func add(_ name: String, time secondsSince1970: Double?) {
        if let secondsSince1970, !secondsSince1970.isNaN {
            append(name, .text(TimeText.text(secondsSince1970)))
        }
    }

    /// Adds the text of the element, which JSON calls `value`.
    package mutating func add(content text: String) { append("value", .content(text)) }

    /// Adds a child; nothing for nil.
    package mutating func add(_ name: String, _ child: (some SubsonicRepresentable)?) {
        if let child { append(name, .object(child.object)) }
    }

    /// Adds a list of children, an empty one too; nothing for nil.
    package mutating func add(_ name: String, _ children: [some SubsonicRepresentable]?) {
        if let children { append(name, .objects(children.map { $0.object })) }
    }

    /// Adds a list of texts, an empty one too; nothing for nil.
    package mutating func add(_ name: String, _ texts: [String]?) {
        if let texts { append(name, .texts(texts)) }
    }

    /// Adds a list of whole numbers.
    package mutating func add(_ name: String, _ numbers: [Int]) { append(name, .integers(numbers)) }

    /// Adds all fields of another element behind those of this one.
    package mutating func add(fieldsOf other: some SubsonicRepresentable) { fields += other.object.fields }

    private mutating func append(_ name: String, _ value: Value) {
        fields.append(Field(name: name, value: value))
    }
}
