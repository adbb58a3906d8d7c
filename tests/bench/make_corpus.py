#!/usr/bin/env python3
"""Writes a corpus of kernel files for the benchmark: deterministic variations of the sample operators.

    make_corpus.py FOLDER COUNT    COUNT files of 2 to 30 KB, and kernel_10k_impl.py and kernel_40k_impl.py
"""
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(HERE, "..", "..", "examples", "custom")


def sample_texts():
    for folder, _, names in sorted(os.walk(SAMPLES)):
        for name in sorted(names):
            if name.endswith("_impl.py"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield file.read()


def renamed(text, number):
    """A copy of a file with other function names, and one JIT entry fewer."""
    body = text[text.index("\ndef ") if "\ndef " in text else 0:]
    names = set(re.findall(r"\ndef (\w+)", body))
    for name in sorted(names):
        body = re.sub(rf"\b{name}\b", f"{name}_{number}", body)
    return body.replace("@pypto.frontend.jit", "@pypto.frontend.function")


def kernel_file(chance, texts, size):
    text = chance.choice(texts)
    number = 0
    while len(text) < size:
        number += 1
        text += "\n" + renamed(chance.choice(texts), number)
    return text


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    chance = random.Random(20)
    texts = list(sample_texts())
    for number in range(count):
        write(os.path.join(folder, f"kernel{number:04}_impl.py"), kernel_file(chance, texts, chance.randrange(2000, 30000)))
    for kilobytes in (10, 40):
        text = kernel_file(chance, texts, kilobytes * 1000 - 1500)
        write(os.path.join(folder, f"kernel_{kilobytes}k_impl.py"), text)


main()
