"""What a person reads: charts, tables and words, for a terminal (Rich), a page or a notebook (Altair)."""
