"""A module that the checker imports: managers start where their files are."""
import re


def answers(text, count):
    found = {}
    for number, answer in re.findall(r"^Case #([0-9]{1,3}): ([0-9]{1,9})$", text, re.MULTILINE | re.ASCII):
        if 1 <= int(number) <= count:
            found.setdefault(int(number), int(answer))
    return found
