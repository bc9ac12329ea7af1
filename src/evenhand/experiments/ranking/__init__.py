"""The paper's Section 6.2: how well elicited metrics rank real classifiers, and how many questions that takes."""
