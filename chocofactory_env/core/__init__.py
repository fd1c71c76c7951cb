"""Code shared by all games. It depends on no game and on no drawing code.

Authors of games need the modules here: `game`, the protocol of a game; `compiled`, a base class for compiled games;
`jit` and `binding`, which compile rules; `codec`, for positions as data; `checks`, for options and errors. `compiler`,
`build` and `library` make and load libraries. The folders hold the rest:

    kernel       the rules that shared code calls; steps of one or many positions, chance, rewards, batches
    observation  declarations of actions and observations, and the compiled code that writes them
    search       playouts, trees, turns, and the value that judges positions
    cards        reading and checking decks in TOML
    text         prompts, answers, generated pages
    agents       the protocol of agents, and what agents are told
"""
