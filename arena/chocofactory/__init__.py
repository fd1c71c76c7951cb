"""What is measured of Chocolate Factory alone: the solo game, the cards' balance, decisions in hindsight."""
