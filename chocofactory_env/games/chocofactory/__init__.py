"""Chocolate Factory: cards, rules, actions, observation, rendering."""
