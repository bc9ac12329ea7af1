"""Rules outside the family of metrics: what models may be compared by, and how."""
