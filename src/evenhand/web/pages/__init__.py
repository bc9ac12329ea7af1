"""The pages, and the files that can be downloaded from them."""
