"""How the rows of a table are counted, wherever they live."""
