"""A wrong sign has several explanations: an addition for a subtraction, or operands of a difference that it
adds in the wrong order."""
from . import changes, replay_ops

_PASSES_SIGN = ("mul", "div", "neg", "view", "reshape", "cast")
_MOST_STEPS = 40


def others(torch, trace, guess):
    """Where `guess` puts an addition for a subtraction or the other way round: guesses about differences that
    its operands are, or that they are multiplied from."""
    if guess.kind != "operation" or {guess.record.op, guess.detail["instead"]} != {"add", "sub"}:
        return
    waiting, seen = list(guess.record.sources()), set()
    while waiting and len(seen) < _MOST_STEPS:
        record = trace.records[waiting.pop()]
        if record.number in seen or record.kind != "op" or record.write:
            continue
        seen.add(record.number)
        if record.op == "sub" and len(record.operands) == 2:
            yield changes.Repair(changes.Group(record, 0), "order", {}, _exchanged(torch))
        elif record.op in _PASSES_SIGN:
            waiting += record.sources()


def _exchanged(torch):
    return lambda one, trace, values: replay_ops.run(torch, one, trace.operands(one, values)[::-1])
