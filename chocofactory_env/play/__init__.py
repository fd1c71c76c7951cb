"""The table in the browser, for this machine alone: `chocofactory play`.

server    the web server: files of the page, and a WebSocket for each browser
session   one browser: its game, what it is shown, what it asks
protocol  the messages
playing   a game, under way or over, at any of its positions
told      moves as words: the log, and turns summed up
thoughts  what agents think of a position, and what decisions cost
export    a game as one HTML file
page      the code that runs in the browser
"""
