"""What answers say: the likelihood of an answer, and the posterior over metrics."""
