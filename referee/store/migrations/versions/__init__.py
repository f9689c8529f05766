"""The editions of the schema."""
