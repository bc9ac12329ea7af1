"""What a person reads: charts, tables and words, drawn for a terminal with Rich."""
