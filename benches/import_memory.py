#!/usr/bin/env python3
"""Measures the memory use of importing packages of different sizes.

    benches/import_memory.py --cli PROGRAM [--items N ...] [--limit BYTES]

Writes packages of QTI items (`.zip`), imports each into a bank, and prints peak memory. Files of an archive are unpacked one by
one, so only the names of all files are in memory: the exit code is 1 if an additional item costs more than --limit bytes.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ITEM = """<?xml version="1.0" encoding="UTF-8"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i{n}" title="Item {n}" adaptive="false"
 timeDependent="false">
<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier">
<correctResponse><value>B</value></correctResponse></responseDeclaration>
<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
<itemBody><p>{text}</p><p>What is {n} + 1?</p><choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="1">
<simpleChoice identifier="A">{n}</simpleChoice><simpleChoice identifier="B">{n}&#xA0;+&#xA0;1</simpleChoice>
<simpleChoice identifier="C">{n}2</simpleChoice></choiceInteraction></itemBody>
<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/></assessmentItem>"""
TEXT = "Read the table beside the map, compare the three columns, and take what the newest measurement gives. " * 20

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--cli", required=True)
arguments.add_argument("--items", type=int, nargs="+", default=[500, 10_000])
arguments.add_argument("--limit", type=int, default=800)
options = arguments.parse_args()


def package(path: pathlib.Path, items: int) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(items):
            archive.writestr(f"items/i{n}.xml", ITEM.format(n=n, text=TEXT))
        listed = "".join(f'<resource identifier="r{n}" type="imsqti_item_xmlv2p1" href="items/i{n}.xml"/>' for n in range(items))
        archive.writestr("imsmanifest.xml", f"<manifest><resources>{listed}</resources></manifest>")


def peak(folder: pathlib.Path, items: int) -> tuple[int, int]:
    """Returns the peak memory, and the size of the unpacked items, both in bytes."""
    path, bank = folder / f"{items}.zip", folder / f"{items}.jsonl"
    package(path, items)
    child = subprocess.Popen([options.cli, "import", str(path), "--bank", str(bank), "--quiet"], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    lines = bank.read_bytes().count(b"\n")
    if child.returncode != 0 or lines != items:
        sys.exit(f"the import ended with {child.returncode}; {lines} of {items} items are in the bank")
    return used.ru_maxrss << 10, items * (len(ITEM) + len(TEXT))


with tempfile.TemporaryDirectory() as folder:
    rows = []
    for items in options.items:
        most, unpacked = peak(pathlib.Path(folder), items)
        rows.append((items, most))
        print(f"{items:>8} items, {unpacked / 2**20:7.1f} MiB unpacked: {most / 2**20:6.1f} MiB at most")
    (few, least), (many, most) = rows[0], rows[-1]
    each = (most - least) / (many - few)
    print(f"{each:.0f} bytes for an item more; {options.limit} are allowed")
    sys.exit(each > options.limit)
