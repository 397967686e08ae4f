// The public calendars that the plugin reads in another way than a program of others, judged by hand.
import type { JudgedFiles } from './verdicts.ts';

const NONE = 'nothing-understood';

/** Beside each file: what the plugin reads. Another reading of ours is not judged. */
export const OF_FILES: readonly JudgedFiles[] = [
  {
    section: '3.6.1',
    why: 'an hour without an end, or that ends on itself, lasts no time: nobody stays, so it is left out and counted',
    files: {
      'icalendar/america_new_york_forward_reference.ics': NONE,
      'icalendar/created_calendar_with_unicode_fields.ics': '1 stays',
      'icalendar/issue_1050_forward_timezone_reference.ics': NONE,
      'icalendar/issue_1050_simple_calendar.ics': NONE,
      'icalendar/issue_1081_empty_rdate.ics': NONE,
      'icalendar/issue_1081_event_with_rrule.ics': NONE,
      'icalendar/issue_1081_invalid_rrule_freq.ics': NONE,
      'icalendar/issue_1081_list_of_properties.ics': NONE,
      'icalendar/issue_1081_tzid_param.ics': NONE,
      'icalendar/issue_1231_recurrence.ics': NONE,
      'icalendar/issue_127_categories_with_commas.ics': NONE,
      'icalendar/issue_1633_rdate_with_dates.ics': NONE,
      'icalendar/issue_1633_rdate_with_dates_and_tzid.ics': NONE,
      'icalendar/issue_351_whitespace_in_property_and_params.ics': NONE,
      'icalendar/issue_722_missing_VTIMEZONE_custom.ics': NONE,
      'icalendar/issue_722_timezone_transition_ambiguity.ics': NONE,
      'icalendar/multiple_timezones.ics': NONE,
      'icalendar/pacific_fiji.ics': NONE,
      'icalendar/rfc_9253_examples.ics': NONE,
      'icalendar/timezone_rdate.ics': NONE,
      'recurring-ical-events/discourse_no_dtend.ics': '3 stays',
      'recurring-ical-events/duration.ics': '2 stays',
      'recurring-ical-events/issue_62_moved_event.ics': NONE,
      'recurring-ical-events/zero_size_event.ics': NONE,
    },
  },
  {
    section: '3.6.1',
    why: 'an entry without a start has no nights: it is left out and counted',
    files: {
      'icalendar/broken_ical.ics': NONE,
      'icalendar/issue_1050_multiple_calendars.ics': NONE,
      'icalendar/issue_1050_uid_in_description.ics': NONE,
      'icalendar/issue_1081_with_summary.ics': NONE,
      'icalendar/issue_1549_binary_attachment.ics': NONE,
      'icalendar/issue_1561_image_value.ics': NONE,
      'icalendar/issue_322_expected_calendar.ics': NONE,
      'icalendar/issue_798_related_to.ics': NONE,
      'icalendar/rfc_5545_RDATE_example.ics': NONE,
      'icalendar/rfc_6868.ics': NONE,
      'icalendar/rfc_7256_multi_value_parameters.ics': NONE,
      'icalendar/rfc_7986_conferences.ics': NONE,
      'icalendar/rfc_7986_image.ics': NONE,
      'icalendar/rfc_9253_gap.ics': NONE,
      'icalendar/rfc_9253_related_to.ics': NONE,
    },
  },
  {
    section: '3.3.5, 3.3.6',
    why: 'a start that is no time, or a length beyond all times, leaves the entry out and is counted',
    files: {
      'icalendar/broken_dtstart.ics': NONE,
      'icalendar/invalid_duration.ics': NONE,
      'icalendar/issue_1081_invalid_start_and_end.ics': NONE,
      'icalendar/issue_1081_invalid_start_valid_end.ics': NONE,
    },
  },
  {
    section: '3.4',
    why: 'a calendar without its last line may be cut off, so nothing is taken from it',
    files: {
      'icalendar/big_bad_calendar.ics': 'incomplete',
      'icalendar/pr_480_summary_with_colon.ics': 'incomplete',
      'icalendar/small_bad_calendar.ics': 'incomplete',
      'icalendar/timezone_same_start_and_offset.ics': 'incomplete',
    },
  },
  {
    section: '3.1',
    why: 'a line that an empty one breaks is no property: its entry is left out and counted',
    files: {
      'icalendar/multiple_calendar_components.ics': 'as node-ical',
    },
  },
  {
    section: '3.6',
    why: 'components that do not nest are no calendar',
    files: {
      'recurring-ical-events/issue_201_test_matrix.ics': 'not-a-calendar',
    },
  },
  {
    section: '3.8.4.4',
    why: 'a limit: a change of an occurrence and of all that follow is left out and counted',
    files: {
      'icalendar/issue_156_RDATE_with_PERIOD_TZID_khal.ics': NONE,
      'icalendar/issue_156_RDATE_with_PERIOD_TZID_khal_2.ics': NONE,
      'recurring-ical-events/issue_75_range_parameter.ics': '194 stays',
    },
  },
  {
    section: '3.8.4.4',
    why: 'a limit: a changed occurrence stays, though a later revision of its series leaves that day out',
    files: {
      'recurring-ical-events/issue_148_edge_case_1.ics': 'as node-ical',
      'recurring-ical-events/issue_163_deleted_modification.ics': 'as node-ical',
      'recurring-ical-events/issue_253_additional_recurrence_id.ics': 'as node-ical',
    },
  },
  {
    section: '3.8.4.4, 3.8.7.4',
    why: 'a changed occurrence replaces its own, and the newest revision of a series counts',
    files: {
      'recurring-ical-events/issue_148_edge_case_2.ics': 'as icalendar',
      'recurring-ical-events/issue_148_ignored_exdate.ics': 'as icalendar',
      'recurring-ical-events/issue_164_duplicated_event.ics': 'as icalendar',
      'recurring-ical-events/issue_173_only_modifications_error.ics': 'as icalendar',
      'recurring-ical-events/issue_253_edge_case_1.ics': 'as icalendar',
      'recurring-ical-events/issue_253_recurrence_id_included.ics': 'as icalendar',
      'recurring-ical-events/issue_28_rrule_with_UTC_endinginZ.ics': 'as icalendar',
      'recurring-ical-events/issue_36_recurrence_ID_format.ics': 'as icalendar',
      'recurring-ical-events/recurring_events_changed_duration.ics': 'as icalendar',
    },
  },
  {
    section: '3.2.19',
    why: 'hours in a zone that nothing explains are not read on other clocks: only nights count, and within one day there are none',
    files: {
      'icalendar/issue_526_calendar_with_different_events.ics': NONE,
      'icalendar/issue_526_calendar_with_event_subset.ics': NONE,
      'icalendar/issue_526_calendar_with_events.ics': NONE,
      'icalendar/issue_526_calendar_with_shuffeled_events.ics': NONE,
    },
  },
  {
    section: '3.2.19, 3.6.5',
    why: 'a name that the system knows is the zone, also behind a prefix; else the rules in the file count',
    files: {
      'icalendar/america_new_york.ics': 'as icalendar',
      'icalendar/issue_218_bad_tzid.ics': 'as icalendar',
      'icalendar/issue_313_globally_unique_tzid.ics': 'as icalendar',
      'icalendar/issue_466_convert_tzid_with_slash.ics': 'as icalendar',
      'icalendar/issue_466_respect_unique_timezone.ics': 'as icalendar',
      'icalendar/issue_722_missing_timezones.ics': 'as node-ical',
    },
  },
  {
    section: '3.8.2.2',
    why: 'an end before its start leaves the entry out and is counted',
    files: {
      'recurring-ical-events/end_before_start_event.ics': NONE,
      'recurring-ical-events/issue_132_swapped_start_and_end.ics': NONE,
    },
  },
  {
    section: '3.8.2.2',
    why: 'the end of a day is the next one: a day that ends on itself is that day',
    files: {
      'icalendar/example.ics': 'as node-ical',
      'recurring-ical-events/Germany_Holidays.ics': '33 stays',
    },
  },
  {
    section: '3.8.5.2',
    why: 'a limit: an additional time lasts as long as the first, also where it is a period',
    files: {
      'icalendar/issue_1426.ics': '3 stays',
      'icalendar/period_with_timezone.ics': '9 stays',
      'icalendar/rfc_7265_appendix_example_2_ical.ics': '6 stays',
      'recurring-ical-events/issue_113_period_in_rdate.ics': '9 stays',
      'recurring-ical-events/issue_113_period_rdate_duration.ics': '2 stays',
    },
  },
  {
    section: '3.8.5.1, 3.8.5.2',
    why: 'times in a list are added and left out one by one',
    files: {
      'recurring-ical-events/issue_148_exdate_and_rdate_unedited.ics': 'as icalendar',
      'recurring-ical-events/issue_148_exdate_and_rdate_updated.ics': 'as icalendar',
      'recurring-ical-events/rdate_falls_on_rrule_until.ics': 'as icalendar',
      'recurring-ical-events/rdate_hackerpublicradio.ics': 'as icalendar',
    },
  },
  {
    section: '3.8.5.3',
    why: 'the first time of a series always counts',
    files: {
      'recurring-ical-events/issue_117_until_before_dtstart.ics': '1 stays',
    },
  },
  {
    section: '3.8.5.3',
    why: 'several rules of one series add up',
    files: {
      'recurring-ical-events/duplicated_rrule.ics': 'as icalendar',
      'recurring-ical-events/multiple_rrule.ics': 'as icalendar',
    },
  },
  {
    section: '3.3.10',
    why: 'a rule with a part that no one knows is named, and the first time counts: it may be a misspelled end',
    files: {
      'recurring-ical-events/bad_rrule_missing_until_event.ics': '1 stays',
    },
  },
  {
    section: '3.3.10',
    why: 'a rule that cannot be understood is named, and the first time counts: blanks in a list, calendars other than the Gregorian',
    files: {
      'icalendar/issue_165_missing_event.ics': '1 stays',
      'icalendar/rfc_7529.ics': '6 stays',
    },
  },
  {
    section: '3.3.5',
    why: 'hours without a zone are on the clocks of the lock',
    files: {
      'recurring-ical-events/issue_243_recurrence_id_is_not_identical_to_dtstart.ics': 'as icalendar',
      'recurring-ical-events/issue_86_x_wr_timezone_without_time_zone_in_dt.ics': '1 stays',
    },
  },
  {
    section: '3.8.4.7',
    why: 'an entry that is written twice is one',
    files: {
      'icalendar/parsing_error.ics': 'as icalendar',
    },
  },
  {
    section: '3.1',
    why: 'one bad property costs no entry, and one bad entry no calendar',
    files: {
      'icalendar/issue_104_broken_calendar.ics': 'as node-ical',
      'icalendar/issue_1050_all_components.ics': 'as icalendar',
      'icalendar/issue_168_input.ics': 'as icalendar',
      'icalendar/issue_348_exception_parsing_value.ics': 'as icalendar',
      'recurring-ical-events/alarm_absolute_edited.ics': 'as icalendar',
      'recurring-ical-events/issue_107_omitting_last_event.ics': 'as icalendar',
      'recurring-ical-events/issue_128_only_first_event.ics': 'as icalendar',
      'recurring-ical-events/issue_186_invalid_trigger.ics': 'as icalendar',
      'recurring-ical-events/issue_201_mixed_datetime_and_date.ics': 'as icalendar',
      'recurring-ical-events/issue_27_t1.ics': 'as icalendar',
      'recurring-ical-events/issue_4_rrule_until.ics': 'as icalendar',
      'recurring-ical-events/issue_61_time_zone_error.ics': 'as icalendar',
    },
  },
];
