"""How actions and observations are declared, and how compiled code reads masks and writes observations."""
