"""Reads a feed of stays from its input by two programs of others, and prints what each found as JSON."""
import json
import sys

import icalendar
from ical.calendar_stream import IcsCalendarStream

text = sys.stdin.buffer.read().decode("utf-8")


def row(uid, start, end, title):
    return [uid, int(start.timestamp()), int(end.timestamp()), title]


by_ical = [row(one.uid, one.dtstart, one.dtend, one.summary)
           for one in IcsCalendarStream.calendar_from_ics(text).events]
calendar = icalendar.Calendar.from_ical(text)
if calendar.errors or any(one.errors for one in calendar.walk("VEVENT")):
    raise SystemExit(f"icalendar: {calendar.errors}")
by_icalendar = [row(str(one["UID"]), one["DTSTART"].dt, one["DTEND"].dt, str(one["SUMMARY"]))
                for one in calendar.walk("VEVENT")]
print(json.dumps({"ical": by_ical, "icalendar": by_icalendar}))
