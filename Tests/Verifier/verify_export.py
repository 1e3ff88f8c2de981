#!/usr/bin/env python3
"""Checks an export of events against its manifest, with no code of this project.

Usage: verify_export.py FILE VKEY

FILE holds the rows; FILE.manifest.json and FILE.proof.jsonl stand beside it. VKEY is the log's
verifier key or a file with such keys, one a line. Shows that the rows' records are in the sealed
log, that nothing lies between them but what the hashes stand for, that each row has the id, place,
times and amount of its record and names nothing that does not stand in it, and that counts and
sums are right. Exits with 0 when everything
holds, else with 3 and a reason.

Needs what verify_proof.py needs. Record header: little-endian, as StorageLayout.swift has it.
"""

import csv
import datetime
import hashlib
import io
import json
import os
import struct
import sys

from verify_proof import Refused, decoded, node, read, signed_head, verifier

# What stands in a record's payload as it is.
TEXTS = (
    "provider", "account", "session", "payment", "refund", "dispute", "subscription", "order",
    "customer", "reason", "rawType", "deliveryID", "actor",
)
NONE = 2**64 - 1
NO_TIME = -(2**63)


class Tree:
    """A tree that is put together from left to right."""

    def __init__(self):
        self.size = 0
        self.parts = []

    def add(self, value, level, position):
        if position != self.size or position % (1 << level) != 0:
            raise Refused(f"the proof does not go on at position {self.size}")
        self.size += 1 << level
        while self.parts and self.parts[-1][0] == level:
            value = node(self.parts.pop()[1], value)
            level += 1
        self.parts.append((level, value))

    def cover(self, hashes, end):
        """Adds the fewest full subtrees from here to `end`, which must be as many."""
        for text in hashes:
            room = (end - self.size).bit_length() - 1
            if room < 0:
                raise Refused("the range proof is too long")
            aligned = (self.size & -self.size).bit_length() - 1 if self.size else room
            self.add(bytes.fromhex(text), min(room, aligned), self.size)
        if self.size != end:
            raise Refused("the range proof is too short")

    def root(self):
        if not self.parts:
            return hashlib.sha256(b"").digest()
        value = self.parts[-1][1]
        for _, left in reversed(self.parts[:-1]):
            value = node(left, value)
        return value


def time_text(microseconds):
    if microseconds == NO_TIME:
        return ""
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=microseconds)
    return moment.isoformat(timespec="microseconds") + "Z"


def fields(record):
    """What the header of a record says of the row, by column; and the type's code."""
    if len(record) < 144 or record[0] != 1:
        raise Refused("a record is of another format")
    code, length = struct.unpack_from("<HI", record, 2)
    if len(record) != 144 + length:
        raise Refused("a record is cut")
    position, stream, revision = struct.unpack_from("<QQI", record, 8)
    cause = struct.unpack_from("<Q", record, 40)[0]
    recorded, occurred = struct.unpack_from("<qq", record, 64)
    currency, units = struct.unpack_from("<Iq", record, 100)
    letters = currency.to_bytes(4, "big").lstrip(b"\0").decode("ascii")
    # An id is written with its greatest byte first.
    return code, {
        "position": str(position), "stream": str(stream), "revision": str(revision),
        "cause": "" if cause == NONE else str(cause), "id": record[48:64].hex(),
        "recordedAt": time_text(recorded), "occurredAt": time_text(occurred),
        "currency": letters, "minorUnits": str(units) if letters else "",
    }


def rows_of(text, form, manifest):
    if form == "csv":
        return list(csv.DictReader(io.StringIO(text, newline="")))
    lines = text.split("\n")
    if lines.pop() != "":
        raise Refused("the last line is torn")
    if json.loads(lines.pop())["rows"] != manifest["rows"]:
        raise Refused("the last line counts other rows")
    rows = []
    for line in lines:
        row = json.loads(line)
        row.update(row.pop("amount", {}))
        rows.append({name: str(value) for name, value in row.items()})
    return rows


def check(path, keys):
    manifest = json.loads(read(path + ".manifest.json"))
    if manifest["schema"] != "checkout-ledger/audit-export/2":
        raise Refused("the manifest is of another form")
    contents = {}
    for name, stated in ((path, "sha256"), (path + ".proof.jsonl", "proofSHA256")):
        with open(name, "rb") as file:
            contents[stated] = file.read()
        if hashlib.sha256(contents[stated]).hexdigest() != manifest[stated]:
            raise Refused(f"{name} is not the file that the manifest names")
    rows = rows_of(contents["sha256"].decode(), manifest["format"], manifest)
    if manifest["seal"] is None:
        raise Refused("the export has no seal")
    origin, size, root = signed_head(manifest["seal"], keys)
    if (size, root.hex()) != (manifest["logSize"], manifest["root"]):
        raise Refused("the manifest names another log than its seal")

    tree, found, names, totals = Tree(), 0, {}, {}
    tree.cover(manifest["rangeProof"]["left"], manifest["firstPosition"])
    for line in contents["proofSHA256"].decode().splitlines():
        part = json.loads(line)
        if "hash" in part:
            tree.add(bytes.fromhex(part["hash"]), part["level"], part["position"])
            continue
        record = decoded(part["record"])
        code, header = fields(record)
        if header["position"] != str(part["position"]) or found >= len(rows):
            raise Refused(f"the record of position {part['position']} has no row")
        row = rows[found]
        for name, value in header.items():
            if (row.get(name) or "") != value:
                raise Refused(f"row {found + 1} has another {name} than its record")
        for name in TEXTS:
            text = row.get(name) or ""
            # A cell that a spreadsheet would run has an apostrophe in front.
            if not any(form.encode() in record for form in (text, text.removeprefix("'"))):
                raise Refused(f"row {found + 1} has a {name} that its record has not")
        # One name for each code, and one code for each name.
        if names.setdefault(code, row["type"]) != row["type"]:
            raise Refused(f"row {found + 1} is of another type than its record")
        if header["currency"]:
            key = header["currency"], row["type"]
            totals[key] = totals.get(key, 0) + int(header["minorUnits"])
        tree.add(hashlib.sha256(b"\0" + record).digest(), 0, part["position"])
        found += 1
    if len(set(names.values())) != len(names):
        raise Refused("two kinds of records have one type's name")
    if found != len(rows) or found != manifest["rows"]:
        raise Refused("the manifest counts other rows")
    if tree.size != manifest["endPosition"]:
        raise Refused("the proof ends before the positions do")
    tree.cover(manifest["rangeProof"]["right"], size)
    if tree.root() != root:
        raise Refused("the records are not those of the sealed log")
    stated = {(t["currency"], t["type"]): int(t["minorUnits"]) for t in manifest["controlTotals"]}
    if stated != totals:
        raise Refused("the control totals are others")
    whole = manifest["endPosition"] - manifest["firstPosition"]
    chosen = any(manifest["query"][name] for name in ("session", "types", "actor"))
    if found != whole and not chosen:
        raise Refused("records were left out without a condition")
    return f"{found} of {whole} records from position {manifest['firstPosition']} of {origin}"


def main(words):
    if len(words) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    keys = read(words[1]).split() if os.path.exists(words[1]) else [words[1]]
    try:
        print("ok:", check(words[0], [verifier(key) for key in keys]))
    except (Refused, ValueError, KeyError, TypeError) as reason:
        print(f"refused: {reason}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
