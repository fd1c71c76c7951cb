"""Schoko & Co.: cards, rules, actions, observation, rendering."""
