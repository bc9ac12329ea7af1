"""Which question is worth most to somebody who may err, and when to stop."""
