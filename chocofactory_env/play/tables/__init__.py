"""Tables: games under way, their seats, and their files."""
