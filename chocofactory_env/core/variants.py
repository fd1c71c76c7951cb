"""The options of a variant of a game: a frozen dataclass with a default for each, checked in `__post_init__`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self

from .checks import UnknownOptionError


@dataclass(frozen=True)
class VariantOptions:
    """What the variants of all games share."""

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> Self:
        """TypeError for an option that does not exist, ValueError or TypeError for a value that it cannot have."""
        known = [field.name for field in fields(cls)]
        for option in options:
            if option not in known:
                raise UnknownOptionError.of(option, ("deck", *known))
        return cls(**options)

    def _keep(self, name: str, value: int | str) -> None:
        """Keep the option as JSON can write it: plain integers and plain booleans."""
        object.__setattr__(self, name, value)
