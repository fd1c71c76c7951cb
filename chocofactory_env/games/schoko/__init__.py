"""Schoko & Co., a game of firms that buy cocoa, make chocolate and sell it by contracts; `game.Schoko`."""
