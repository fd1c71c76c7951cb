"""Tables: games under way, who sits at them, and how they are kept."""
