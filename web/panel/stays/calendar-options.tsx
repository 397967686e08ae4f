// What of a calendar is rarely changed: its name, hours, codes, names and words.
import type { VNode } from 'preact';
import { PLACES } from '../../../src/domain/codes/message-template.ts';
import { type Message, message } from '../../../src/domain/language/message.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { StayFault } from '../../../src/features/stays/panel/views.ts';
import { listWords } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { Fold } from '../../shared/fold.tsx';
import { LanguageChoice, TextArea } from '../codes/message-sheet.tsx';
import { Choices, RadioChoices } from '../parts/edit-form.tsx';
import { Field, type FieldKind, Switch } from '../parts/fields.tsx';
import type { TypedCalendar, TypedLockHours } from './calendar-draft.ts';

type TextMember = Exclude<
  keyof TypedCalendar,
  | 'lockHours'
  | 'bookingHours'
  | 'locks'
  | 'names'
  | 'endEarly'
  | 'endWhenLeft'
  | 'reserve'
  | 'address'
  | 'message'
  | 'language'
>;

const HOURS_HELP = message('On the lock’s clock, for bookings without a time.');

/** Label and help of each field, in their order; the switches come after. */
const FIELDS: readonly (readonly [TextMember, Message, Message?])[] = [
  ['name', message('Name')],
  ['checkIn', message('Check-in'), HOURS_HELP],
  ['checkOut', message('Check-out'), HOURS_HELP],
  ['minutesBefore', message('Code works early (minutes)'), message('Before the check-in.')],
  ['minutesAfter', message('Code works late (minutes)'), message('After the check-out.')],
  [
    'code',
    message('Codes'),
    message(
      '“{phone}”: the last four digits of the guest’s phone, or random ones. “{random}”, or a pattern such as {pattern}.',
      { phone: 'phone', random: 'random', pattern: '{random2}{phone4}' },
    ),
  ],
  [
    'daysAhead',
    message('Add codes ahead (days)'),
    message('So that a lock that is offline has the code in time.'),
  ],
  [
    'notStays',
    message('Entries that are no stays'),
    message('Words at the beginning or end of an entry, separated by commas, such as {example}.', {
      example: 'Blocked, Closed',
    }),
  ],
];

const KINDS: Readonly<Partial<Record<TextMember, FieldKind>>> = {
  checkIn: 'time',
  checkOut: 'time',
  minutesBefore: 'digits',
  minutesAfter: 'digits',
  daysAhead: 'digits',
};

interface OptionProps {
  readonly typed: TypedCalendar;
  readonly type: (changes: Partial<TypedCalendar>) => void;
  readonly faultOf: (field: StayFault['field']) => string | null;
}

export function CalendarOptions(
  props: OptionProps & {
    readonly isNew: boolean;
    /** The chosen ones. */
    readonly locks: readonly { readonly id: LockId; readonly name: string }[];
  },
): VNode {
  const { typed, type, faultOf, isNew, locks } = props;
  return (
    <div class="code-form">
      {FIELDS.map(([member, label, help]) => (
        <Field
          key={member}
          label={t(label)}
          help={helpOf(member, help, isNew)}
          kind={KINDS[member] ?? 'text'}
          value={typed[member]}
          fault={faultOf(member)}
          onInput={(text) => type({ [member]: text })}
        />
      ))}
      <LockHoursFields {...{ locks, typed, type }} fault={faultOf('lockHours')} />
      <Switch
        label={t('Take the hours from the booking’s text')}
        help={t('If the text of a booking has hours of check-in and check-out. The stay says so.')}
        of={t('this calendar')}
        isOn={typed.bookingHours}
        isFixed={false}
        onSwitch={(bookingHours) => type({ bookingHours })}
      />
      <Choices legend={t('Names of stays')} fault={null}>
        <RadioChoices
          choices={
            [
              ['dates', t('Dates, such as {name}', { name: 'Stay 12-15 Dec' })],
              ['booking', t('Words of the booking')],
            ] as const
          }
          chosen={typed.names}
          onChoose={(names) => type({ names })}
        />
      </Choices>
      <MessageFields {...{ typed, type, faultOf }} />
      <EndFields {...{ typed, type }} />
      <Switch
        label={t('Keep a code in reserve')}
        help={t('For a guest whose own code is not on the lock at the check-in. Nobody knows it before.')}
        of={t('this calendar')}
        isOn={typed.reserve}
        isFixed={false}
        onSwitch={(reserve) => type({ reserve })}
      />
    </div>
  );
}

/** What may end a stay before its check-out. */
function EndFields({ typed, type }: Omit<OptionProps, 'faultOf'>): VNode {
  return (
    <>
      <Switch
        label={t('Let the calendar end a stay early')}
        help={t('Otherwise only you can end a stay that has begun.')}
        of={t('this calendar')}
        isOn={typed.endEarly}
        isFixed={false}
        onSwitch={(endEarly) => type({ endEarly })}
      />
      <Switch
        label={t('End the code when the guest has left')}
        help={t(
          'On the last day: the code was used, then the door was locked from outside, and nobody came back for an hour. Otherwise you are asked.',
        )}
        of={t('this calendar')}
        isOn={typed.endWhenLeft}
        isFixed={false}
        onSwitch={(endWhenLeft) => type({ endWhenLeft })}
      />
    </>
  );
}

function MessageFields({ typed, type, faultOf }: OptionProps): VNode {
  return (
    <>
      <TextArea
        label={t('Message to the guest')}
        help={t(
          'You copy it and send it yourself. {places} stand for what changes. Leave empty for the usual message.',
          { places: listWords(PLACES.map((place) => `{${place}}`)) },
        )}
        rows={5}
        value={typed.message}
        fault={faultOf('message')}
        onInput={(text) => type({ message: text })}
      />
      <LanguageChoice
        label={t('Language of the message')}
        unset={t('Yours')}
        chosen={typed.language}
        onChoose={(language) => type({ language })}
      />
    </>
  );
}

function helpOf(member: TextMember, help: Message | undefined, isNew: boolean): string | undefined {
  if (help === undefined) {
    return isNew ? t('Leave empty for a name made from the locks.') : undefined;
  }
  return member === 'notStays' && isNew ? `${t(help)} ${t('Leave empty for the usual ones.')}` : t(help);
}

interface LockHoursProps {
  /** The chosen ones. */
  readonly locks: readonly { readonly id: LockId; readonly name: string }[];
  readonly typed: TypedCalendar;
  readonly type: (changes: Partial<TypedCalendar>) => void;
  readonly fault: string | null;
}

/** With a single lock, the hours of the calendar are its own. */
function LockHoursFields(props: LockHoursProps): VNode | null {
  return props.locks.length < 2 ? null : (
    <Fold title={t('Hours of single locks')} opens={props.fault !== null}>
      {() => <Fields {...props} />}
    </Fold>
  );
}

function Fields({ locks, typed, type, fault }: LockHoursProps): VNode {
  const of = (id: LockId): TypedLockHours =>
    typed.lockHours.find(({ lock }) => lock === id) ?? { lock: id, minutesBefore: '', minutesAfter: '' };
  const change = (id: LockId, minutes: Partial<TypedLockHours>): void =>
    type({ lockHours: [...typed.lockHours.filter(({ lock }) => lock !== id), { ...of(id), ...minutes }] });
  return (
    <div class="code-form">
      <p>{t('For a door that several homes share. Leave empty for the minutes above.')}</p>
      {locks.map(({ id, name }) => (
        <div key={id} class="lock-hours">
          <Field
            label={t('{lock}: early (minutes)', { lock: name })}
            kind="digits"
            value={of(id).minutesBefore}
            fault={fault}
            onInput={(minutesBefore) => change(id, { minutesBefore })}
          />
          <Field
            label={t('{lock}: late (minutes)', { lock: name })}
            kind="digits"
            value={of(id).minutesAfter}
            onInput={(minutesAfter) => change(id, { minutesAfter })}
          />
        </div>
      ))}
    </div>
  );
}
