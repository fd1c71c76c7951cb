"""Tools of the project's own pages."""
