"""Schoko & Co. in the arena; read by `agents.by_game`."""

SCORE, UNIT = "money", "thousands"
RESULTS = ".results:RESULTS"
DEMO = {"challenger": "manager", "opponent": "random", "deals": {2: 50, 3: 33, 4: 25}}
JUDGE = "..judge:ValueJudge"
PLAYS_ON = "manager"  # agent for the judge (`arena.judge`)
