"""The balance of Manfredini's Chocolate Factory."""
