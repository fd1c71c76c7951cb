"""What is measured of Chocolate Factory alone: the solo game, the cards' balance, decisions in hindsight.

The names below are what the arena knows of it; read by `agents.by_game`.
"""

SCORE, UNIT = "money", "£"
OPTIONS = {"expansion": "NAME of an expansion: the same as --option expansion=NAME"}
NOTES = ".money:MoneyNotes"
DRAW_NOTES = ".money:draw_means"
DEMO = {  # about a hundred games for each number of players
    "challenger": "greedy",
    "opponent": "random",
    "deals": {2: 50, 3: 33, 4: 25, 1: 100},
}
