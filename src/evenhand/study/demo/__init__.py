"""The demo study."""
