"""The package as it is installed, whatever it does.

version                its number, and a hash of the code that judges
optional_dependencies  libraries that come with an extra of it
release                the list of a release, which its project signed
"""
