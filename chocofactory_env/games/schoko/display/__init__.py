"""What people see of the game: text, pictures, lines of a log, generated pages."""
