"""The adaptive method: which question to ask next, and when to stop."""
