"""The games as environments of libraries for language models. Each module imports one library, which is an extra."""
