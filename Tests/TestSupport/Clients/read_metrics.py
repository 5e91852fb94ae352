"""Parses metrics in Prometheus' text format with Prometheus' own client library, and prints them as JSON.

Usage: read_metrics.py FILE. Prints an object that maps sample names with labels to values.
Fails for malformed text, duplicate samples and invalid histograms.
"""

import json
import sys

from prometheus_client.parser import text_string_to_metric_families

samples = {}
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    text = file.read()
assert text.endswith("\n"), "no line feed at the end"
for family in text_string_to_metric_families(text):
    assert family.documentation and family.type != "unknown", family.name
    for sample in family.samples:
        assert sample.name.startswith(family.name), (family.name, sample.name)
        labels = ",".join(f'{name}="{value}"' for name, value in sorted(sample.labels.items()))
        key = sample.name + ("{" + labels + "}" if labels else "")
        assert key not in samples, "twice: " + key
        samples[key] = sample.value
    if family.type == "histogram":
        buckets = {}
        for sample in family.samples:
            if sample.name.endswith("_bucket"):
                rest = tuple(sorted((n, v) for n, v in sample.labels.items() if n != "le"))
                buckets.setdefault(rest, []).append((float(sample.labels["le"]), sample.value))
        for rest, values in buckets.items():
            assert values == sorted(values) and values[-1][0] == float("inf"), rest
            counts = [value for _, value in values]
            assert counts == sorted(counts), rest
            labels = ",".join(f'{name}="{value}"' for name, value in rest)
            assert samples[f"{family.name}_count{{{labels}}}"] == counts[-1], rest
json.dump(samples, sys.stdout)
