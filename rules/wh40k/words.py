def summarize(event):
    return None


def notes(game, roll):
    return ()
