"""A tournament's sequential test as a message, both ways, checked."""

from saurodrome.server.rating.matches import RatingError
from saurodrome.server.rating.sprt import Hypotheses, Model
from saurodrome.server.rpc import checks
from saurodrome.server.rpc.checks import invalid
from saurodrome.server.settings import Entry, SprtRule, TournamentSettings
from saurodrome.tournament.v1 import messages_pb2 as messages

_MODELS = {
    messages.ELO_MODEL_UNSPECIFIED: Model.NORMALISED,
    messages.ELO_MODEL_NORMALISED: Model.NORMALISED,
    messages.ELO_MODEL_LOGISTIC: Model.LOGISTIC,
}
_MOST = 1_000.0
"""Elo of a lead, at most."""


def from_message(message: messages.SequentialTest) -> SprtRule:
    """The test with its defaults filled in.

    Raises:
        Refused: A field holds what it may not; `where` names it.
    """
    usual = SprtRule()
    if not message.bot:
        return usual
    bare = not (message.elo0 or message.elo1)
    model = checks.choice(
        message.model, _MODELS, Model.NORMALISED, "UNKNOWN_MODEL", "settings.sprt.model"
    )
    return SprtRule(
        message.bot,
        tuple(message.against),
        checks.finite(message.elo0, 0.0, _MOST, "settings.sprt.elo0"),
        usual.elo1 if bare else checks.finite(message.elo1, 0.0, _MOST, "settings.sprt.elo1"),
        checks.finite(message.alpha, usual.alpha, 1.0, "settings.sprt.alpha"),
        checks.finite(message.beta, usual.beta, 1.0, "settings.sprt.beta"),
        model.value,
    )


def to_message(rule: SprtRule) -> messages.SequentialTest | None:
    """The test as a message; None where there is none."""
    if not rule.bot:
        return None
    logistic = rule.model == Model.LOGISTIC.value
    return messages.SequentialTest(
        bot=rule.bot,
        against=rule.against,
        elo0=rule.elo0,
        elo1=rule.elo1,
        alpha=rule.alpha,
        beta=rule.beta,
        model=messages.ELO_MODEL_LOGISTIC if logistic else messages.ELO_MODEL_NORMALISED,
    )


def check(settings: TournamentSettings) -> None:
    """Checks what no field of a test shows alone.

    Raises:
        Refused: BAD_TEST or UNKNOWN_BOT.
    """
    rule = settings.sprt
    if not rule.bot:
        return
    if not rule.against or rule.bot in rule.against:
        what = f"{rule.bot[:40]!a} is tested against {'itself' if rule.against else 'nobody'}."
        raise invalid("BAD_TEST", what, "settings.sprt.against", "name one other bot at least")
    strangers = {rule.bot, *rule.against} - set(settings.bots)
    if strangers and settings.entry is not Entry.OPEN:
        what = f"{min(strangers)[:40]!a} is tested, but not entered."
        raise invalid("UNKNOWN_BOT", what, "settings.sprt", "test entrants")
    try:
        hypotheses(rule).check()
    except RatingError as error:
        raise invalid("BAD_TEST", f"{error}.", "settings.sprt", "see the README") from None


def hypotheses(rule: SprtRule) -> Hypotheses:
    """What is tested."""
    return Hypotheses(rule.elo0, rule.elo1, rule.alpha, rule.beta, Model(rule.model))
