"""The table in the browser: `python -m chocofactory_env.play`. What goes over the socket: docs/play-protocol.md.

server  the web server, and a connection of one browser
views   what one browser is shown: its side of a table, advice, what decisions cost
tables  games under way, who sits at them, the agents that play, and how they are kept
page    what runs in the browser
"""
