"""Studies in the browser: pages for people, and a JSON API."""
