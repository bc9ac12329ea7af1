"""The paper's Section 6.2: how well an elicited metric ranks real classifiers, and how few questions that takes."""
