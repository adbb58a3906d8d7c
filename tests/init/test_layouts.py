#!/usr/bin/env python3
"""JSON in any layout: what is added suits it, and is gone without a trace when it is removed."""
import json
import random

from init_support import JSON_CLIENTS, InitTest, installed, main, merged

PATH = ".claude/settings.json"
WANTED = json.loads(installed(JSON_CLIENTS["claude"][1]))
VALUE = {"model": "x", "hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]},
         "env": {"A": "b"}}
SEED, ROUNDS = 20, 150


def random_text(rng, depth=0):
    """A JSON value, its blanks and its spelling drawn by lot."""
    blank = lambda: rng.choice(["", "", " ", "\n", "\r\n", "\t", "\n  ", "  "])
    kind = rng.randrange(7 if depth < 4 else 5)
    if kind < 5:
        return rng.choice(['"a"', '"\\u0041\\n\\\\"', '"ä中\U0001F600"', "0", "-1.5e+10", "12345678901234567890",
                           "1e999", "true", "false", "null", '""', '"pypto-lint"', '"\\ud800"', '"{[,]}"'])
    parts = []
    for _ in range(rng.randrange(4)):
        key = f'"k{rng.randrange(10**9)}"{blank()}:{blank()}' if kind == 5 else ""
        parts.append(blank() + key + random_text(rng, depth + 1) + blank())
    inner = ",".join(parts) or blank()
    return "{" + inner + "}" if kind == 5 else "[" + inner + "]"


def text_of(value, **how):
    """In UTF-8, as our settings are."""
    return json.dumps(value, ensure_ascii=False, **how)


def random_settings(rng):
    """An object with, perhaps, some of the events in it."""
    blank = lambda: rng.choice(["", " ", "\n", "\n  ", "\t"])
    members = [f'"m{i}":{blank()}{random_text(rng)}' for i in range(rng.randrange(4))]
    events = []
    for event in rng.sample(sorted(WANTED["hooks"]), rng.randrange(4)):
        entry = '{"hooks":%s[{"type": "command",%s"command": "true"}]}' % (blank(), blank())
        entries = [blank() + entry + blank() for _ in range(rng.randrange(1, 4))]
        events.append(f'{blank()}"{event}"{blank()}:[{",".join(entries)}]')
    if events:
        members.insert(rng.randrange(len(members) + 1), '"hooks":%s{%s}' % (blank(), ",".join(events) + blank()))
    return blank() + "{" + ",".join(blank() + member + blank() for member in members) + "}" + blank()


class Layouts(InitTest):
    def there_and_back(self, text):
        """Adds and removes; gives the text in between."""
        self.write(PATH, text)
        self.good("--client", "claude", "--yes")
        after = self.read(PATH)
        self.assertEqual(json.loads(after), merged(json.loads(text), WANTED), text)
        self.good("--client", "claude", "--yes")
        self.assertEqual(self.read(PATH), after)
        self.good("--client", "claude", "--remove", "--yes")
        if json.loads(text) == {}:
            self.assertFalse((self.project / PATH).exists())
        else:
            self.assertEqual(self.read(PATH), text)
        return after

    def test_indentation(self):
        for indent in (1, 2, 3, 4, 8, "\t"):
            text = text_of(VALUE, indent=indent)
            self.assertEqual(self.there_and_back(text), text_of(merged(VALUE, WANTED), indent=indent))

    def test_line_ends(self):
        for newline in ("\n", "\r\n"):
            for end in ("", newline, newline * 3):
                text = text_of(VALUE, indent=2).replace("\n", newline) + end
                want = text_of(merged(VALUE, WANTED), indent=2).replace("\n", newline) + end
                self.assertEqual(self.there_and_back(text), want)

    def test_one_line(self):
        for separators in ((",", ":"), (", ", ": ")):
            text = text_of(VALUE, separators=separators)
            want = text_of(merged(VALUE, WANTED), separators=separators)
            self.assertEqual(self.there_and_back(text), want)

    def test_empty_object(self):
        for text in ("{}", "{ }", "{\n}\n", "\n{}\n"):
            self.assertEqual(self.there_and_back(text).strip(), text_of(WANTED, indent=2))

    def test_lists_in_a_line(self):
        text = '{\n  "hooks": {\n    "Stop": [{"hooks": []}]\n  }\n}\n'
        after = self.there_and_back(text)
        stop = text_of(WANTED["hooks"]["Stop"][0]["hooks"][0])
        self.assertIn('    "Stop": [{"hooks": []}, {"hooks": [%s]}],\n    "SessionStart": [\n      {\n' % stop, after)

    def test_random(self):
        rng = random.Random(SEED)
        for _ in range(ROUNDS):
            text = random_settings(rng)
            with self.subTest(text):
                self.there_and_back(text)


if __name__ == "__main__":
    main()
