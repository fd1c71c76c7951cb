"""The games as environments for language-model libraries. Each module imports one library, an optional dependency."""
