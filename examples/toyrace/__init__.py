"""A race: a whole game outside the package. `import toyrace` makes it known as `cf.load("toyrace")`."""

import chocofactory_env as cf

cf.register("toyrace", "toyrace.game:ToyRace")
