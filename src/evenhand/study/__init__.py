"""A durable interview: answers that survive a crash, can be taken back, and are never applied twice."""

from evenhand.study.log.file import FileLog
from evenhand.study.log.header import Header
from evenhand.study.session import Session, resume

__all__ = ["FileLog", "Header", "Session", "resume"]
