"""Players for the games of `chocofactory_env`; run from the checkout, as in `python -m agents.demo`."""
