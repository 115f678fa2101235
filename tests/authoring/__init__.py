"""The decisions behind the vectors, written by hand; `../vectors/author.py` turns them into files."""
