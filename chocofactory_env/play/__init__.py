"""The table in the browser: `python -m chocofactory_env.play`. docs/play-protocol.md describes its messages.

server  the web server, and the connection of a browser
views   what a browser is shown: its view of a table, advice, costs of decisions
tables  games under way, their seats and agents, and their files
page    the code that runs in the browser
"""
