"""What the pages show, made ready for the templates."""
