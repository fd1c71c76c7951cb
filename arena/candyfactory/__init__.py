"""What the arena knows of Manfredini's Chocolate Factory; read by `agents.by_game`."""

SCORE, UNIT = "points", "points"
RESULTS = ".results:RESULTS"
DEMO = {"challenger": "greedy", "opponent": "random", "deals": {2: 50, 3: 33, 4: 25}}
JUDGE = "..judge:ValueJudge"
PLAYS_ON = "expert:deals=1,endings=500"  # in what is judged
