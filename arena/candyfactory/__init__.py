"""What the arena knows of Manfredini's Chocolate Factory; read by `agents.by_game`."""

SCORE, UNIT = "points", "points"
