"""Validates an AsyncAPI document against the standard's model, and messages against the document.

usage: asyncapi_cases.py DOCUMENT MESSAGES

MESSAGES is a JSON object: lists of messages as encoded by the programs, keyed by message name.
"""
import copy
import json
import sys

import jsonschema
from asyncapi3.models.asyncapi import AsyncAPI3

document = json.load(open(sys.argv[1]))
messages = json.load(open(sys.argv[2]))

# The model has every field of AsyncAPI 3.0 and rejects all others.
AsyncAPI3.model_validate(document)
for path in (["info"], ["channels", "remote"], ["servers", "host"], ["operations", "remoteSend"],
             ["components", "messages", "play"]):
    broken = copy.deepcopy(document)
    place = broken
    for key in path:
        place = place[key]
    place["nonsense"] = 1
    try:
        AsyncAPI3.model_validate(broken)
    except ValueError:
        continue
    raise AssertionError(f"the model accepts anything at {path}")


def follow(reference):
    place = document
    assert reference.startswith("#/"), reference
    for key in reference[2:].split("/"):
        place = place[key]
    return place


def references(value):
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"]
        value = value.values()
    if isinstance(value, (dict, list)) or not isinstance(value, (str, int, float, bool, type(None))):
        for item in value:
            yield from references(item)


for reference in references(document):
    follow(reference)

kinds = document["components"]["messages"]
assert set(messages) == set(kinds), set(messages) ^ set(kinds)
used = set()
for name, channel in document["channels"].items():
    names = set(channel["messages"])
    of_channel = [set(), set()]
    for operation in document["operations"].values():
        if operation["channel"]["$ref"] == f"#/channels/{name}":
            of_channel[operation["action"] == "send"] |= {item["$ref"].split("/")[-1] for item in operation["messages"]}
    assert of_channel[0] | of_channel[1] == names and not of_channel[0] & of_channel[1], name
    used |= names
assert used == set(kinds)


def validator(name):
    # Keep the whole document, so that references can be resolved.
    schema = {**document, **kinds[name]["payload"]}
    jsonschema.Draft202012Validator.check_schema(kinds[name]["payload"])
    return jsonschema.Draft202012Validator(schema)


def without_one(value, schema):
    """Yields copies of the value with one required property removed."""
    while "$ref" in schema:
        schema = follow(schema["$ref"])
    if not isinstance(value, dict):
        return
    for key in value:
        if key in schema.get("required", ()):
            yield {other: item for other, item in value.items() if other != key}
        for less in without_one(value[key], schema.get("properties", {}).get(key, {})):
            yield {**value, key: less}


for name, samples in messages.items():
    assert samples, name
    for sample in samples:
        validator(name).validate(sample)
        for less in without_one(sample, kinds[name]["payload"]):
            assert not validator(name).is_valid(less), (name, less)
        assert not validator(name).is_valid({**sample, "nonsense": 1}), name
        # A message must not match another message of the same channel and direction.
        for channel in document["channels"].values():
            for other in channel["messages"]:
                both = {name, other} == {"clientHandshake", "hostHandshake"}
                if name in channel["messages"] and other != name and not both:
                    assert not validator(other).is_valid(sample), (name, other)
print("ok")
