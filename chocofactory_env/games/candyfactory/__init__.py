"""Chocolate Factory by Dan Manfredini: from the plantation to the candy shops."""
