// What of a calendar is rarely changed: its name, hours, codes, names and words.
import type { VNode } from 'preact';
import type { StayFault } from '../../../src/panel/views/stays.ts';
import { Choice } from '../../shared/labelled.tsx';
import { Field, Switch } from '../parts/fields.tsx';
import type { TypedCalendar } from './calendar-draft.ts';

type TextMember = Exclude<keyof TypedCalendar, 'locks' | 'names' | 'endEarly' | 'address'>;

/** Label and help of each field, in their order; the two switches come after. */
const FIELDS: readonly (readonly [TextMember, string, string])[] = [
  ['name', 'Name', ''],
  ['checkIn', 'Check-in', 'On the lock’s clock, for bookings without a time.'],
  ['checkOut', 'Check-out', 'On the lock’s clock, for bookings without a time.'],
  ['minutesBefore', 'Code works early (minutes)', 'Before the check-in.'],
  ['minutesAfter', 'Code works late (minutes)', 'After the check-out.'],
  [
    'code',
    'Codes',
    '“phone”: the last four digits of the guest’s phone, or random ones. “random”, or a pattern such as {random2}{phone4}.',
  ],
  ['daysAhead', 'Add codes ahead (days)', 'So that a lock that is offline has the code in time.'],
  [
    'notStays',
    'Entries that are no stays',
    'Words at the beginning or end of an entry, separated by commas, such as Blocked, Closed.',
  ],
];

const NAMES = ['dates', 'booking'] as const;

export function CalendarOptions(props: {
  readonly typed: TypedCalendar;
  readonly type: (changes: Partial<TypedCalendar>) => void;
  readonly faultOf: (field: StayFault['field']) => string | null;
  readonly isNew: boolean;
}): VNode {
  const { typed, type, faultOf, isNew } = props;
  return (
    <div class="code-form">
      {FIELDS.map(([member, label, help]) => (
        <Field
          key={member}
          label={label}
          {...(helpOf(member, help, isNew) === '' ? {} : { help: helpOf(member, help, isNew) })}
          value={typed[member]}
          fault={faultOf(member)}
          showsFault
          onInput={(text) => {
            type({ [member]: text });
          }}
        />
      ))}
      <Choice
        label="Names of stays"
        names={['Dates, such as Stay 12-15 Dec', 'Words of the booking']}
        chosen={NAMES.indexOf(typed.names)}
        onChoose={(index) => {
          type({ names: NAMES[index] ?? 'dates' });
        }}
      />
      <Switch
        label="Let the calendar end a stay early"
        help="Otherwise only you can end a stay that has begun."
        of="this calendar"
        isOn={typed.endEarly}
        isFixed={false}
        onSwitch={(endEarly) => {
          type({ endEarly });
        }}
      />
    </div>
  );
}

function helpOf(member: TextMember, help: string, isNew: boolean): string {
  if (member === 'name' && isNew) {
    return 'Leave empty for a name made from the locks.';
  }
  return member === 'notStays' && isNew ? `${help} Leave empty for the usual ones.` : help;
}
