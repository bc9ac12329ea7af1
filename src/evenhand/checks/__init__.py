"""Input from outside, checked once: arrays, columns, text, documents."""
