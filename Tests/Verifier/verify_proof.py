#!/usr/bin/env python3
"""Checks that a record is in a sealed log, with no code of this project.

Usage: verify_proof.py PROOF RECORD VKEY [OLD_SEAL GROWTH]

PROOF is a C2SP tlog-proof file, RECORD the record's bytes, VKEY the log's verifier key or a file
with such keys, one a line. With an older seal and a proof of growth (a C2SP tlog-witness body) it
also checks that the log only grew. Exits with 0 when everything holds, else with 3 and a reason.

Needs nothing but Python 3 and PyPI's `cryptography` for Ed25519. Written from the public texts
(RFC 9162 section 2.1.3, 2.1.4; C2SP signed-note, tlog-checkpoint, tlog-cosignature, tlog-proof).
"""

import base64
import hashlib
import os
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Refused(Exception):
    """What was given does not hold."""


def node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def decoded(text):
    raw = base64.b64decode(text, validate=True)
    if base64.b64encode(raw).decode() != text:
        raise Refused("base64 is not canonical")
    return raw


def verifier(text):
    """(name, key id, kind, public key) of `name+id+base64(kind || key)`."""
    name, key_id, keyed = text.split("+", 2)
    raw = decoded(keyed)
    expected = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
    if expected.hex() != key_id or raw[0] not in (1, 4) or len(raw) != 33:
        raise Refused("a verifier key is damaged")
    return name, expected, raw[0], Ed25519PublicKey.from_public_bytes(raw[1:])


def signed_head(note, keys):
    """(origin, size, root) of a note that at least one plain key signed and no known key refused."""
    split = note.rindex("\n\n")
    text, block = note[: split + 1], note[split + 2 :]
    holds = False
    for line in block.splitlines():
        dash, name, signature = line.split(" ")
        if dash != "\u2014":
            raise Refused("a signature line is damaged")
        raw = decoded(signature)
        for key_name, key_id, kind, key in keys:
            if (key_name, key_id) != (name, raw[:4]):
                continue
            message, made = text.encode(), raw[4:]
            if kind == 4:
                time = int.from_bytes(made[:8], "big")
                message, made = f"cosignature/v1\ntime {time}\n".encode() + message, made[8:]
            try:
                key.verify(made, message)
            except InvalidSignature:
                raise Refused(f"the signature of {name} does not hold") from None
            holds = holds or kind == 1
    if not holds:
        raise Refused("no given key signed the note")
    origin, size, root = text.split("\n")[:3]
    if not size.isdecimal() or str(int(size)) != size:
        raise Refused("the size is no number")
    return origin, int(size), decoded(root)


def root_of_leaf(leaf, index, size, proof):
    """The root that a leaf and the hashes beside its way lead to."""
    if index >= size:
        raise Refused("the position is beyond the tree")
    place, last, root = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            raise Refused("the proof is too long")
        if place % 2 == 1 or place == last:
            root = node(sibling, root)
            while place % 2 == 0 and place > 0:
                place, last = place // 2, last // 2
        else:
            root = node(root, sibling)
        place, last = place // 2, last // 2
    if last != 0:
        raise Refused("the proof is too short")
    return root


def grew(old, old_root, new, new_root, proof):
    """True when the newer tree begins with the older one."""
    if old == new or old == 0:
        empty = hashlib.sha256(b"").digest()
        return not proof and old_root == (new_root if old == new else empty)
    path = list(proof)
    if old & (old - 1) == 0:
        path.insert(0, old_root)
    if old > new or not path:
        return False
    place, last = old - 1, new - 1
    while place % 2 == 1:
        place, last = place // 2, last // 2
    before = after = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if place % 2 == 1 or place == last:
            before, after = node(sibling, before), node(sibling, after)
            while place % 2 == 0 and place > 0:
                place, last = place // 2, last // 2
        else:
            after = node(after, sibling)
        place, last = place // 2, last // 2
    return last == 0 and before == old_root and after == new_root


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def check_record(proof_path, record_path, keys):
    head, seal = read(proof_path).split("\n\n", 1)
    lines = head.split("\n")
    if lines.pop(0) != "c2sp.org/tlog-proof@v1":
        raise Refused("that is no proof")
    if lines and lines[0].startswith("extra "):
        lines.pop(0)
    word, number = lines.pop(0).split(" ")
    if word != "index" or str(int(number)) != number:
        raise Refused("the proof names no position")
    origin, size, root = signed_head(seal, keys)
    with open(record_path, "rb") as file:
        leaf = hashlib.sha256(b"\x00" + file.read()).digest()
    if root_of_leaf(leaf, int(number), size, [decoded(line) for line in lines]) != root:
        raise Refused("the sealed log does not have this record at this position")
    return f"position {number} of {size} in {origin}"


def check_growth(old_path, growth_path, keys):
    old_origin, old_size, old_root = signed_head(read(old_path), keys)
    head, seal = read(growth_path).split("\n\n", 1)
    lines = head.split("\n")
    if lines.pop(0) != f"old {old_size}":
        raise Refused("the proof of growth begins at another size")
    origin, size, root = signed_head(seal, keys)
    proof = [decoded(line) for line in lines if line]
    if origin != old_origin or not grew(old_size, old_root, size, root, proof):
        raise Refused("the newer log does not begin with the older one")
    return f"grew from {old_size} to {size}"


def main(words):
    if len(words) not in (3, 5):
        print(__doc__, file=sys.stderr)
        return 2
    keys = [words[2]]
    if os.path.exists(words[2]):
        keys = read(words[2]).split()
    try:
        verifiers = [verifier(key) for key in keys]
        print("ok:", check_record(words[0], words[1], verifiers))
        if len(words) == 5:
            print("ok:", check_growth(words[3], words[4], verifiers))
    except (Refused, ValueError) as reason:
        print(f"refused: {reason}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
