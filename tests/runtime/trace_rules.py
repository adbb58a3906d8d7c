"""The documented rules of the Trace Event Format (JSON), as viewers rely on them: which fields an event of each
phase has, that complete events of a thread nest, that asynchronous and flow events come in pairs."""
import math

PHASES = {"B", "E", "X", "i", "I", "C", "b", "n", "e", "s", "t", "f", "N", "O", "D", "M", "R", "c"}
METADATA = {"process_name": "name", "thread_name": "name", "process_labels": "labels",
            "process_sort_index": "sort_index", "thread_sort_index": "sort_index"}
ASYNC, FLOW = ("b", "n", "e"), ("s", "t", "f")
NEAR = 1e-3  # times are written in decimals


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def violations(trace):
    """What is wrong, in words; empty for a trace that keeps the rules."""
    events = trace.get("traceEvents") if isinstance(trace, dict) else trace
    if not isinstance(events, list):
        return ["there is no list of events"]
    if isinstance(trace, dict) and trace.get("displayTimeUnit", "ms") not in ("ms", "ns"):
        return ["displayTimeUnit is neither ms nor ns"]
    found = [words for number, event in enumerate(events) for words in fields(number, event)]
    return found or complete(events) + duration(events) + asynchronous(events) + flows(events)


def fields(number, event):
    """What is wrong with an event by itself."""
    phase = event.get("ph") if isinstance(event, dict) else None
    if phase not in PHASES:
        return ["event %d has no known ph" % number]
    where = "event %d (%s)" % (number, phase)
    found = []
    if not isinstance(event.get("name"), str) and phase != "E":
        found.append(where + " has no name")
    if not isinstance(event.get("args", {}), dict):
        found.append(where + ": args is not an object")
    if not is_whole(event.get("pid")):
        found.append(where + " has no pid")
    if phase == "M":
        key = METADATA.get(event.get("name"))
        value = event.get("args", {}).get(key)
        if key is None or not (is_whole(value) if key == "sort_index" else isinstance(value, str)):
            found.append(where + " is not metadata that is known")
        elif event["name"].startswith("thread") and not is_whole(event.get("tid")):
            found.append(where + " has no tid")
        return found
    if not is_whole(event.get("tid")):
        found.append(where + " has no tid")
    if not is_number(event.get("ts")) or event["ts"] < 0:
        found.append(where + " has no ts")
    if phase == "X" and (not is_number(event.get("dur")) or event["dur"] < 0):
        found.append(where + " has no dur")
    if phase in ASYNC + FLOW and not (is_whole(event.get("id")) or isinstance(event.get("id"), str)):
        found.append(where + " has no id")
    if phase in ASYNC and not isinstance(event.get("cat"), str):
        found.append(where + " has no cat")
    if phase == "C" and not all(is_number(value) for value in event.get("args", {}).values()):
        found.append(where + ": a counter's args are numbers")
    return found


def threads(events, phases):
    """The events of these phases by process and thread, in the order of time; outer ones first."""
    by_thread = {}
    for event in events:
        if event["ph"] in phases:
            by_thread.setdefault((event["pid"], event["tid"]), []).append(event)
    for listed in by_thread.values():
        listed.sort(key=lambda event: (event["ts"], -event.get("dur", 0)))
    return by_thread


def complete(events):
    """Complete events of a thread lie in each other, or one after the other."""
    found = []
    for listed in threads(events, "X").values():
        open_ends = []
        for event in listed:
            end = event["ts"] + event["dur"]
            while open_ends and open_ends[-1] <= event["ts"] + NEAR:
                open_ends.pop()
            if open_ends and end > open_ends[-1] + NEAR:
                found.append("%s at %g overlaps with another event of its thread" % (event["name"], event["ts"]))
            open_ends.append(end)
    return found


def duration(events):
    found = []
    for listed in threads(events, "BE").values():
        depth = 0
        for event in listed:
            depth += 1 if event["ph"] == "B" else -1
            if depth < 0:
                found.append("an E at %g without its B" % event["ts"])
                depth = 0
        if depth:
            found.append("%d B without an E" % depth)
    return found


def asynchronous(events):
    """The events of a category and id: each e ends the last b that is open, which has its name."""
    found, begun = [], {}
    for event in sorted((one for one in events if one["ph"] in "be"), key=lambda one: one["ts"]):
        opened = begun.setdefault((event["cat"], event["id"]), [])
        if event["ph"] == "b":
            opened.append(event["name"])
        elif not opened or opened.pop() != event["name"]:
            found.append("an e of %s at %g without its b" % (event["name"], event["ts"]))
    return found + ["a b of %s without an e" % name for opened in begun.values() for name in opened]


def flows(events):
    """A flow starts once, then ends, each within a complete event of its thread."""
    found, begun = [], {}
    slices = threads(events, "X")
    for event in sorted((one for one in events if one["ph"] in FLOW), key=lambda one: one["ts"]):
        key = (event.get("cat"), event["name"], event["id"])
        if event["ph"] == "s":
            begun[key] = begun.get(key, 0) + 1
            if begun[key] > 1:
                found.append("a flow starts twice: %s" % (key,))
        elif key not in begun:
            found.append("a flow ends that did not start: %s" % (key,))
        if not any(one["ts"] - NEAR <= event["ts"] <= one["ts"] + one["dur"] + NEAR
                   for one in slices.get((event["pid"], event["tid"]), [])):
            found.append("a flow outside of every event of its thread: %s" % (key,))
    ended = {(one.get("cat"), one["name"], one["id"]) for one in events if one["ph"] == "f"}
    return found + ["a flow without an end: %s" % (key,) for key in begun if key not in ended]
