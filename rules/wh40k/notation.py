NOTATIONS: dict = {}
