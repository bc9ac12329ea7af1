"""How values are shown to people who program: names, tables as text and HTML, data frames, and plots."""
