"""Every key of a TOML document has the line that a person finds it in."""

from __future__ import annotations

import pytest

from evenhand import EvenhandError
from evenhand.checks.toml import read_toml

DOCUMENT = b'''# a comment
slug = "loans"   # another = one
introduction = """
title = "not a key"
[nor.a.header]
"""

[words.mistakes."who \\"repay\\""]
"a = b" = "x"
plain.dotted = 1
numbers = [
  [1, 2],  # "
  [3, 4],
]
inline = { one = 1, two = { three = 3 } }
[[several]]
key = 1
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("slug",), 2),
        (("introduction",), 3),
        (("words", "mistakes", 'who "repay"'), 8),
        (("words", "mistakes", 'who "repay"', "a = b"), 9),
        (("words", "mistakes", 'who "repay"', "plain", "dotted"), 10),
        (("words", "mistakes", 'who "repay"', "numbers"), 11),
        (("words", "mistakes", 'who "repay"', "inline", "two", "three"), 15),
        (("several",), 16),
        (("several", "key"), 17),
        (("words", "mistakes", 'who "repay"', "missing"), 8),
        (("title",), None),
    ],
)
@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_a_key_is_found_in_its_line_and_a_missing_one_where_it_should_be(
    path: tuple[str, ...], line: int | None, ends: bytes
) -> None:
    assert read_toml(DOCUMENT.replace(b"\n", ends), "loans.toml").line(*path) == line


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"slug = 1\ntitle = \n", "loans.toml is not a TOML document: .*line 2"),
        (b"a = 1\na = 2\nb = 1", "not a TOML document: .*line 2"),
        (b"slug = 'x'\ntitle = '\xff'", "loans.toml, line 2: this is not text in UTF-8"),
        (b"PK\x03\x04\x14\x00", "not a TOML document"),
        (b"a = " + b"[" * 100_000, "nested too deeply|not a TOML document"),
        (b"#" * 4_000_001, r"has 4,000,001 bytes, but the limit is 4,000,000"),
    ],
)
def test_what_is_no_toml_is_refused_with_its_line(content: bytes, message: str) -> None:
    with pytest.raises(EvenhandError, match=message):
        read_toml(content, "loans.toml")
