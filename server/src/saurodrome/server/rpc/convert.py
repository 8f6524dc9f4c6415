"""Records of the server as messages of TournamentService."""

from saurodrome.server.contracts import (
    BotStatus,
    EntrantStatus,
    Listed,
    Progress,
    Spectacle,
    Table,
    TableRow,
)
from saurodrome.server.rpc import settings
from saurodrome.server.rpc.durations import duration, timestamp
from saurodrome.server.store.records import (
    Event,
    EventKind,
    Fault,
    RatedSeat,
    TournamentState,
)
from saurodrome.tournament.v1 import acts_pb2 as acts_pb
from saurodrome.tournament.v1 import live_pb2, placing_pb2
from saurodrome.tournament.v1 import messages_pb2 as messages
from saurodrome.tournament.v1 import tournament_pb2 as pb

_STATES = {
    TournamentState.PLANNED: messages.TOURNAMENT_STATE_PLANNED,
    TournamentState.RUNNING: messages.TOURNAMENT_STATE_RUNNING,
    TournamentState.PAUSED: messages.TOURNAMENT_STATE_PAUSED,
    TournamentState.FINISHED: messages.TOURNAMENT_STATE_FINISHED,
    TournamentState.CANCELLED: messages.TOURNAMENT_STATE_CANCELLED,
}
_STATUS = {
    EntrantStatus.PLAYING: messages.ENTRANT_STATUS_PLAYING,
    EntrantStatus.WITHDRAWN: messages.ENTRANT_STATUS_WITHDRAWN,
    EntrantStatus.DISQUALIFIED: messages.ENTRANT_STATUS_DISQUALIFIED,
}
_EVENTS = {
    EventKind.STARTED: acts_pb.EVENT_KIND_STARTED,
    EventKind.JOINED: acts_pb.EVENT_KIND_JOINED,
    EventKind.WITHDRAWN: acts_pb.EVENT_KIND_WITHDRAWN,
    EventKind.READMITTED: acts_pb.EVENT_KIND_READMITTED,
    EventKind.DISQUALIFIED: acts_pb.EVENT_KIND_DISQUALIFIED,
    EventKind.VOIDED: acts_pb.EVENT_KIND_VOIDED,
}


def bot(status: BotStatus) -> messages.Bot:
    """A bot."""
    return messages.Bot(
        name=status.bot.name,
        display_name=status.bot.display_name,
        owner=status.bot.owner,
        number=status.bot.number,
        created=timestamp(status.bot.created),
        connected=status.connected,
        playing=status.playing,
    )


def tournament(progress: Progress) -> messages.Tournament:
    """A tournament and how far it is."""
    record = progress.tournament
    return messages.Tournament(
        settings=settings.to_message(record.settings),
        state=_STATES[record.state],
        rules_version=record.rules_version,
        ruleset=record.settings.ruleset,
        ruleset_hash=record.settings.ruleset_hash,
        matches_total=progress.total,
        matches_done=progress.done,
        matches_running=progress.running,
        matches_abandoned=progress.abandoned,
        attempts_void=progress.void,
        created=timestamp(record.created),
        started=None if record.started is None else timestamp(record.started),
        ended=None if record.ended is None else timestamp(record.ended),
        rate=progress.rate,
        waiting_for=progress.waiting_for,
        log_position=progress.position,
        matches_void=progress.void_results,
        entrants=progress.entrants,
    )


def table(value: Table) -> pb.GetStandingsResponse:
    """The table of a tournament."""
    return pb.GetStandingsResponse(
        tournament=tournament(value.progress),
        standings=[_standing(row) for row in value.rows],
        seat_wins=value.seat_wins,
        rating_method=value.method,
        rating_reference=value.reference,
        seat_errors=value.seat_errors,
        rated_matches=value.reliability.matches,
        rated_blocks=value.reliability.blocks,
        block_correlation=value.reliability.correlation,
        effective_matches=value.reliability.effective_matches,
        event=value.event,
    )


def _standing(row: TableRow) -> messages.Standing:
    told = {
        "status": _STATUS[row.status],
        "swiss": row.swiss and placing_pb2.SwissPlacing(**row.swiss._asdict()),
        "knockout": row.knockout and placing_pb2.KnockoutPlacing(**row.knockout._asdict()),
    }
    return messages.Standing(**row._asdict() | told)


def fault(value: Fault) -> messages.Fault:
    """A fault."""
    return messages.Fault(
        when=timestamp(value.when),
        match_id=value.match_id,
        attempt=value.attempt,
        turn=value.turn,
        bot=value.bot,
        kind=value.kind,
        limit=duration(value.limit) if value.limit else None,
        took=duration(value.took) if value.took else None,
        charged_to=value.charged_to,
        counted_as=value.counted_as,
    )


def event(value: Event) -> acts_pb.TournamentEvent:
    """What an organiser or a rule did."""
    return acts_pb.TournamentEvent(
        number=value.number,
        log_position=value.position,
        kind=_EVENTS[value.kind],
        bot=value.bot,
        match_id=value.match_id,
        reason=value.reason,
        who=value.who,
        when=timestamp(value.when),
        role=value.role,
    )


def match(listed: Listed) -> messages.Match:
    """A result."""
    result = listed.result
    return messages.Match(
        match_id=result.match_id,
        attempt=result.attempt,
        log_position=result.position,
        termination=result.termination.value,
        seats=[_seat(seat) for seat in result.seats],
        ended=timestamp(result.when),
        has_record=result.has_record,
        void_reason=listed.void,
    )


def _seat(seat: RatedSeat) -> messages.MatchSeat:
    return messages.MatchSeat(**seat._asdict())


def live_match(shown: Spectacle) -> live_pb2.LiveMatch:
    """A match that is being played as a message."""
    return live_pb2.LiveMatch(**shown._asdict())
