"""Random players for games that follow the engine, and gifts that make positions rare in play common."""

from __future__ import annotations

from random import Random

from .cards import Json
from .oracle import Oracle
from .position import Answer, Banded
from .view import CATEGORIES, face_down, held

# How a random player weighs verbs (those not named weigh 1); all legal numbers of a verb share its weight.
VERBS: dict[str, dict[str, float]] = {
    "any": {},
    "thrifty": {"look": 0.1, "attend": 5, "accept": 2, "take_loan": 0.3, "buy_shares": 0.3},
    "gambler": {"play": 6, "take_loan": 6, "buy_shares": 2, "repay": 0.3, "accept": 0.5, "attend": 3},
    "haggler": {"attend": 8, "accept": 0.05, "sell_shares": 2, "repay": 3, "play": 3},
    "miser": {"pass": 4, "accept": 9, "take_loan": 0.2},
    "merchant": {"attend": 9, "accept": 0.4, "play": 9, "take_loan": 0.2, "buy_shares": 0.2, "look": 0.1},
}
# How much more each number of a step weighs than the one below.
NUMBERS: dict[str, dict[str, float]] = {
    "any": {},
    "thrifty": {"staff": 0.7, "bid_price": 0.6, "make": 1.6},
    "gambler": {"staff": 1.2, "bid_price": 0.8, "make": 2.0, "announce": 1.2},
    "haggler": {"staff": 0.8, "bid_price": 0.6, "make": 1.6, "raise": 0.5},
    "miser": {"staff": 0.3, "bid_price": 0.4, "make": 1.2, "bid_bars": 0.7},
    "merchant": {"staff": 0.7, "bid_price": 0.3, "make": 3.0, "announce": 1.3, "bid_bars": 1.2, "bank_sale": 0.3},
}
POLICIES = tuple(VERBS)


def weight(policy: str, step: str, answer: Answer, rivals: int) -> float:
    """`rivals` is how many answers with this verb are legal."""
    verb, number = answer
    return VERBS[policy].get(verb, 1) / rivals * NUMBERS[policy].get(step, 1) ** number


def choose(oracle: Oracle, policy: str, random: Random) -> Answer:
    answers = sorted(oracle.legal())
    verbs = [verb for verb, _ in answers]
    step = oracle.step or ""
    return random.choices(answers, [weight(policy, step, each, verbs.count(each[0])) for each in answers])[0]


# --- Gifts ------------------------------------------------------------------------------------------------------


def enrich(data: Json, cards: Json, random: Random) -> None:
    """Makes up what the players have, in the engine's data of a position in which the leader is asked to look."""
    setup, box = cards["setup"], data["box"]
    for seat, player in enumerate(data["players"]):
        if player["out"]:
            continue
        leads = seat == data["leader"]
        player["cash"] = random.choice((0, random.randrange(60), random.randrange(400)))
        player["cash"] += setup["look"] if leads else 0
        for category in CATEGORIES:
            there = player["staff"][category] + box[category]
            number = random.randint(0, min(there, random.choice((0, 2, 4, 8))))
            box[category] = there - number
            player["staff"][category] = player["staff_before"][category] = number
        for name in ("loans", "shares"):
            there = player[name] + box[name]
            player[name] = random.randint(0, min(there, random.choice((0, 1, 4))))
            box[name] = there - player[name]
        player["cocoa"] = random.randint(0, setup["cocoa_store"])
        player["chocolate"] = random.randint(0, setup["chocolate_store"])
        take_contracts(data, player, cards, random)


def take_contracts(data: Json, player: Json, cards: Json, random: Random) -> None:
    """From those face down, at any price, behind the own other ones."""
    prices = {card["id"]: (card["lowest"], card["highest"]) for card in cards["contracts"]}
    for _ in range(random.choice((0, 0, 1, 3, 10))):
        if data["contracts_left"]:
            data["contracts_left"] -= 1
            top, place = data["contracts_left"], player["num_contracts"]
            contract, data["contracts"][top] = data["contracts"][top], None
            player["contracts"][place], player["prices"][place] = contract, random.randint(*prices[contract])
            player["num_contracts"] += 1
    player["num_booked"] = random.randint(0, player["num_contracts"])


def adopt(oracle: Oracle, data: Json) -> None:
    """The same in the oracle; the month begins anew."""
    for player, given in zip(oracle.players, data["players"], strict=True):
        for name in ("cash", "loans", "shares", "cocoa", "chocolate"):
            setattr(player, name, given[name])
        player.staff = [given["staff"][category] for category in CATEGORIES]
        player.staff_before = list(player.staff)
        banded = [Banded(contract, price) for contract, price in held(given)]
        player.at_bookkeepers, player.open = banded[: given["num_booked"]], banded[given["num_booked"] :]
    oracle.box_staff = [data["box"][category] for category in CATEGORIES]
    oracle.box_loans, oracle.box_shares = data["box"]["loans"], data["box"]["shares"]
    oracle.deck = face_down(data)[::-1]
    oracle.start()
