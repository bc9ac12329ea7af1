"""Few questions to people who may err: a joint posterior over all weights, and the question that is worth most."""
