"""The table in the browser: `python -m chocofactory_env.play`. What goes over the socket: docs/play-protocol.md."""
