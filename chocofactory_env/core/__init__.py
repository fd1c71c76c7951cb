"""What is shared by all games. It knows no game, and nothing that draws.

A game's author meets the modules here: `game`, what a game offers; `compiled`, which has most of it for compiled games;
`jit` and `binding`, how its rules are compiled; `checks`, options and errors. The folders hold the rest:

    kernel       rules as shared code asks for them; steps of one position and of many, chance, rewards, batches
    observation  actions and observations declared, and written by compiled code
    search       playouts, trees, turns, and the value that judges positions
    cards        decks read from TOML and checked
    positions    positions as data, read and checked
    text         prompts, answers, generated pages
    agents       what agents are, and what they are told
    compiling    compiled code kept on disk and shipped
"""
