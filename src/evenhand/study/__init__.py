"""A durable interview: answers that survive a crash, can be withdrawn, and are never applied twice."""

from evenhand.study.log.file import AnswerFile
from evenhand.study.log.header import Header
from evenhand.study.log.stored_answer import StoredAnswer
from evenhand.study.session import Session

__all__ = ["AnswerFile", "Header", "Session", "StoredAnswer"]
