"""Names and numerals as people read them."""
