"""A race: a complete game outside the package. After `import toyrace`, `cf.load("toyrace")` loads it."""

import chocofactory_env as cf

cf.register("toyrace", "toyrace.game:ToyRace")
