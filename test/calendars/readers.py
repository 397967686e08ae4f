"""Writes seeded calendars, and reads these and public ones by two programs of others. Prints one JSON value."""
import contextlib
import io
import json
import logging
import pathlib
import random
import re
import sys
import warnings
from datetime import date, datetime, timedelta, timezone
from importlib.metadata import files
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events
from dateutil.rrule import rrulestr
from ical.calendar_stream import CalendarStream, IcsCalendarStream
from ical.timezone import Timezone as RuleZone

ZONES = [
    "Europe/Berlin", "Europe/London", "Europe/Lisbon", "Europe/Athens", "America/New_York", "America/Chicago",
    "America/Los_Angeles", "America/Sao_Paulo", "America/Santiago", "America/St_Johns", "America/Phoenix",
    "Asia/Tokyo", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Jerusalem", "Australia/Sydney", "Australia/Lord_Howe",
    "Pacific/Auckland", "Pacific/Honolulu", "Africa/Casablanca",
]
WINDOWS = {"Europe/Berlin": "W. Europe Standard Time", "America/New_York": "Eastern Standard Time",
           "Asia/Tokyo": "Tokyo Standard Time", "Europe/London": "GMT Standard Time",
           "Australia/Sydney": "AUS Eastern Standard Time"}
OFFICE_RULES = """BEGIN:VTIMEZONE
TZID:{name}
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE"""
FIRST = date(2026, 1, 1)
STAMP = "DTSTAMP:20260101T000000Z"


def written_zone(name, writer):
    """A VTIMEZONE as one of the two writers makes it."""
    if writer == "icalendar":
        return icalendar.Timezone.from_tzid(name).to_ical().decode().strip()
    zone = RuleZone.from_tzif(name)
    from ical.calendar import Calendar
    text = IcsCalendarStream.calendar_to_ics(Calendar(timezones=[zone]))
    return re.search(r"BEGIN:VTIMEZONE.*END:VTIMEZONE", text, re.S).group(0)


def generated(seed, number):
    """The text of one calendar, and the stays that it means."""
    dice = random.Random(f"{seed}/{number}")
    form = dice.choice(["portal", "manager", "manager", "office", "utc", "floating", "nights"])
    place = dice.choice(sorted(WINDOWS)) if form == "office" else dice.choice(ZONES)
    name = WINDOWS[place] if form == "office" else place
    lines, meant = [], []
    if form == "office" and place == "Europe/Berlin":
        lines += OFFICE_RULES.format(name=name).splitlines()
    if form in ("manager", "nights"):
        writer = dice.choice(["icalendar", "ical", None])
        lines += written_zone(place, writer).splitlines() if writer else []
    zone = timezone.utc if form == "utc" else None if form == "floating" else ZoneInfo(place)
    for entry in range(dice.randint(1, 6)):
        day = FIRST + timedelta(days=dice.randint(0, 500))
        nights = dice.randint(1, 14)
        event, stays = entry_of(dice, form, name, zone, day, nights, f"{number}-{entry}@generated.example")
        lines += ["BEGIN:VEVENT", STAMP, *event, "END:VEVENT"]
        meant += stays
        if form != "portal" and stays and dice.random() < 0.2:
            lines += replaced(form, name, zone, event, stays, meant)
    text = "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Generated//EN", *lines, "END:VCALENDAR", ""])
    return {"name": f"generated-{number}-{form}", "text": text, "meant": meant}


def prefix(form, name):
    return "" if form in ("utc", "floating") else f";TZID={name}"


def stamp(wall, form):
    return wall.strftime("%Y%m%dT%H%M%S") + ("Z" if form == "utc" else "")


def entry_of(dice, form, name, zone, day, nights, uid):
    head = [f"UID:{uid}", f"SUMMARY:{dice.choice(['Reserved', 'Anna', 'CLOSED - Not available', 'Booking 4711'])}"]
    if form == "portal":
        starts, rule = [day], []
        if dice.random() < 0.2:
            written = f"FREQ=WEEKLY;INTERVAL=3;COUNT={dice.randint(2, 6)}"
            rule = [f"RRULE:{written}"]
            starts = [at.date() for at in rrulestr(written, dtstart=datetime(day.year, day.month, day.day))]
        ends = f"DURATION:P{nights}D" if dice.random() < 0.2 else f"DTEND;VALUE=DATE:{day + timedelta(nights):%Y%m%d}"
        event = [*head, f"DTSTART;VALUE=DATE:{day:%Y%m%d}", ends, *rule]
        return event, [[f"{at:%Y%m%d}", f"{at + timedelta(nights):%Y%m%d}"] for at in starts]
    hours = (0, 0) if form == "nights" else (dice.randint(12, 22), dice.randint(6, 11))
    start = datetime(day.year, day.month, day.day, hours[0], dice.choice([0, 30]) if hours[0] else 0)
    end = datetime(day.year, day.month, day.day, hours[1]) + timedelta(nights)
    rule, starts = [], [start]
    if dice.random() < 0.4:
        written = dice.choice(["FREQ=MONTHLY", "FREQ=WEEKLY;INTERVAL=3", "FREQ=DAILY;INTERVAL=20",
                               f"FREQ=MONTHLY;BYDAY={dice.choice(['1MO', '-1FR', '3SA'])}"])
        written += f";COUNT={dice.randint(2, 8)}"
        starts = list(rrulestr(written, dtstart=start))
        if starts[0] == start:
            rule = [f"RRULE:{written}"]
            gone = starts[1:][:: dice.randint(2, 4)] if dice.random() < 0.5 else []
            rule += [f"EXDATE{prefix(form, name)}:{','.join(stamp(at, form) for at in gone)}"] if gone else []
            starts = [at for at in starts if at not in gone]
        else:
            starts = [start]
    key = prefix(form, name)
    event = [*head, f"DTSTART{key}:{stamp(start, form)}", f"DTEND{key}:{stamp(end, form)}", *rule]
    return event, [[written_time(at, zone, form), written_time(end + (at - start), zone, form)] for at in starts]


def written_time(wall, zone, form):
    if form == "nights":
        return f"{wall:%Y%m%d}"
    return time_of(wall.replace(tzinfo=zone))


def replaced(form, name, zone, event, stays, meant):
    """The last occurrence of a series, moved by a day."""
    if form == "nights" or not any(line.startswith("RRULE") for line in event):
        return []
    last = stays[-1]
    wall = (datetime.fromisoformat(last[0][6:]) if last[0].startswith("local:")
            else datetime.fromtimestamp(int(last[0]), zone).replace(tzinfo=None))
    moved, until = wall + timedelta(days=1), wall + timedelta(days=3)
    meant.remove(last)
    meant.append([written_time(moved, zone, form), written_time(until, zone, form)])
    key = prefix(form, name)
    return ["BEGIN:VEVENT", STAMP, event[0], "SEQUENCE:1", "SUMMARY:Moved",
            f"RECURRENCE-ID{key}:{stamp(wall, form)}",
            f"DTSTART{key}:{stamp(moved, form)}", f"DTEND{key}:{stamp(until, form)}", "END:VEVENT"]


def time_of(value):
    if not isinstance(value, datetime):
        return f"{value:%Y%m%d}"
    return f"local:{value:%Y-%m-%dT%H:%M}" if value.tzinfo is None else str(int(value.timestamp()))


def pair(start, end):
    """Midnights to midnights are nights, as portals mean them."""
    if isinstance(start, datetime) and isinstance(end, datetime):
        if not any((one.hour, one.minute, one.second) != (0, 0, 0) for one in (start, end)) and end > start:
            return [f"{start:%Y%m%d}", f"{end:%Y%m%d}"]
    return [time_of(start), time_of(end)]


def by_icalendar(text, first, last):
    found = []
    for calendar in icalendar.Calendar.from_ical(text, multiple=True):
        for event in recurring_ical_events.of(calendar, skip_bad_series=True).between(first, last):
            found.append(pair(event.start, event.end))
    return found


def by_ical(text, first, last):
    found = []
    for calendar in CalendarStream.from_ics(text).calendars:
        for event in calendar.timeline.overlapping(first, last):
            found.append(pair(event.dtstart, event.end))
    return found


def read(reader, text, first, last):
    try:
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            return reader(text, first, last)
    except Exception as error:
        return f"{type(error).__name__}"


def public():
    for package in ("icalendar", "recurring-ical-events"):
        for file in sorted(files(package), key=str):
            if file.suffix == ".ics":
                body = pathlib.Path(file.locate()).read_bytes()
                text = body.decode("utf-8", "replace")
                if "BEGIN:VEVENT" in text and "BEGIN:VCALENDAR" in text:
                    yield {"name": f"{package}/{file.name}", "text": text, "meant": None}


def main():
    logging.disable()
    seed, count = sys.argv[1], int(sys.argv[2])
    tasks = [generated(seed, number) for number in range(count)] + list(public())
    for task in tasks:
        # The first years of zones are far from any entry.
        entries = re.sub(r"BEGIN:VTIMEZONE.*?END:VTIMEZONE", "", task["text"], flags=re.S)
        years = [int(year) for year in re.findall(r"DTSTART[^:\n]*:(\d{4})", entries) if 1971 <= int(year) < 2190]
        year = min(years or [2026])
        first, last = datetime(year, 1, 1, tzinfo=timezone.utc), datetime(year + 3, 1, 1, tzinfo=timezone.utc)
        task["from"], task["until"] = int(first.timestamp()), int(last.timestamp())
        task["icalendar"] = read(by_icalendar, task["text"], first, last)
        task["ical"] = read(by_ical, task["text"], first, last)
    json.dump(tasks, sys.stdout)


main()
