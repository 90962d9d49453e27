"""The command ``rankfeed``: finds Java, Spark and jars, and starts the program that does the work.

Uses the standard library alone, so that a checkout can start it with any Python. Not here: anything that reads data.
"""
