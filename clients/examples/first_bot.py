from saurodrome.client import Decision, run  # all an author needs


def choose(d: Decision) -> int:
    """Return the id of one of d.legal_actions."""
    dry = [a for a in d.legal_actions if a.pen != "river"]
    return (dry or d.legal_actions)[0].id


if __name__ == "__main__":
    run(choose)
