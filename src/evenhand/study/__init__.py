"""A durable interview: answers that survive a crash, can be withdrawn, and are never applied twice."""

from evenhand.study.answer_file import AnswerFile
from evenhand.study.header import Header
from evenhand.study.session import Session
from evenhand.study.stored_answer import StoredAnswer

__all__ = ["AnswerFile", "Header", "Session", "StoredAnswer"]
