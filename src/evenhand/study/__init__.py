"""A durable interview: answers that survive a crash, can be withdrawn, and are never applied twice."""

from evenhand.study.answer_file import AnswerFile, StoredAnswer
from evenhand.study.header import Header
from evenhand.study.session import Session

__all__ = ["AnswerFile", "Header", "Session", "StoredAnswer"]
