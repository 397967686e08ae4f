// The sheets of one stay: add it, skip it, change its hours, give it another code.
import type { VNode } from 'preact';
import { message } from '../../../src/domain/language/message.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import { zoneName } from '../../../src/domain/time/schedule-time.ts';
import type { StayAnswer, StayFault, StayHours, StayView } from '../../../src/features/stays/panel/views.ts';
import { stayTitle } from '../../../src/words/stay-names.ts';
import { t } from '../../../src/words/translate.ts';
import { Choices, EditForm, NamedChoices, useEditForm, useNamedLocks } from '../parts/edit-form.tsx';
import { Field } from '../parts/fields.tsx';
import { Button, Failure, Question } from '../parts/pieces.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { usePageContext } from '../state/page-context.ts';

interface StaySheet {
  readonly stay: StayView;
  readonly onClose: () => void;
}

const titleOf = ({ name, calendarName }: StayView): string => stayTitle(name, calendarName);

/** A form about a stay, which closes once it is saved. */
function useStayForm<Typed extends object>(onClose: () => void, open: () => Typed) {
  const { read } = usePageContext();
  const { typed, type, faults, faultOf, saving, submit } = useEditForm<Typed, StayFault>(open);
  const save = async (ask: () => Promise<StayAnswer>): Promise<void> => {
    const answer = await submit(ask, async () => read('stays.list', 'guests.list'));
    if (answer?.kind === 'saved') {
      onClose();
    }
  };
  const fault = faults.length === 0 ? null : faults.map(({ words }) => t(words)).join(' ');
  return { typed, type, fault, faultOf, saving, save };
}

export function SkipStay({ stay, onClose }: StaySheet): VNode {
  const { call } = usePageContext();
  const { saving, save } = useStayForm(onClose, () => ({}));
  return (
    <Sheet title={t('Skip {name}', { name: titleOf(stay) })} onClose={onClose}>
      <Question
        action={t('Skip this stay')}
        of={titleOf(stay)}
        question={t(
          stay.guestId === null
            ? 'It gets no code. You can use it again later.'
            : 'Its code is removed from every lock; from one that is offline, when it is back. You can use the stay again later.',
        )}
        isBusy={saving.isBusy}
        onConfirm={() => void save(async () => call('stays.skip', { stay: stay.id }))}
        onCancel={onClose}
      />
      <Failure failure={saving.failure} />
    </Sheet>
  );
}

export function ChangeHours({ stay, onClose }: StaySheet): VNode {
  const { call } = usePageContext();
  const { checkIn, checkOut, hasOwnHours, timeZone } = stay;
  const { typed, type, fault, saving, save } = useStayForm(onClose, () => ({ checkIn, checkOut }));
  const ask = async (hours: StayHours): Promise<void> =>
    save(async () => call('stays.hours', { stay: stay.id, ...hours }));
  // Untouched hours stay those of the calendar, unless a person has set hours before.
  const wanted = (now: string, before: string): string | null =>
    now.trim() === before && !hasOwnHours ? null : now.trim();
  return (
    <Sheet title={t('Hours of {name}', { name: titleOf(stay) })} onClose={onClose}>
      <EditForm
        action={t('Save')}
        {...{ saving, onClose }}
        save={async () =>
          ask({ checkIn: wanted(typed.checkIn, checkIn), checkOut: wanted(typed.checkOut, checkOut) })
        }
        between={
          hasOwnHours && (
            <Button isBusy={saving.isBusy} onPress={() => void ask({ checkIn: null, checkOut: null })}>
              {t('Use the calendar’s hours')}
            </Button>
          )
        }
      >
        <Field
          label={t('Check-in')}
          help={t('On the lock’s clock ({zone}).', { zone: zoneName(timeZone) })}
          kind="time"
          value={typed.checkIn}
          fault={fault}
          onInput={(text) => type({ checkIn: text })}
        />
        <Field
          label={t('Check-out')}
          kind="time"
          value={typed.checkOut}
          onInput={(text) => type({ checkOut: text })}
        />
      </EditForm>
    </Sheet>
  );
}

export function AnotherCode({ stay, onClose }: StaySheet): VNode {
  const { call } = usePageContext();
  const { typed, type, fault, saving, save } = useStayForm(onClose, () => ({ pin: '' }));
  const pin = typed.pin.trim() === '' ? null : typed.pin.trim();
  return (
    <Sheet title={t('Another code for {name}', { name: titleOf(stay) })} onClose={onClose}>
      <EditForm
        action={t('Change the code')}
        {...{ saving, onClose }}
        save={async () => save(async () => call('stays.new-code', { stay: stay.id, pin }))}
      >
        <p>{t('The present code stops working. Tell your guest the new one.')}</p>
        <Field
          label={t('Code')}
          help={t('Leave empty for random digits.')}
          kind="digits"
          value={typed.pin}
          fault={fault}
          onInput={(text) => type({ pin: text })}
        />
      </EditForm>
    </Sheet>
  );
}

interface TypedStay {
  readonly name: string;
  readonly from: string;
  readonly until: string;
  readonly phone: string;
  readonly locks: readonly LockId[];
}

/** `today`: a day such as "2026-12-12", on the clocks of the locks. */
export function AddStay(props: { readonly today: string; readonly onClose: () => void }): VNode {
  const { today, onClose } = props;
  const { call } = usePageContext();
  const locks = useNamedLocks();
  const only = locks.length === 1 ? locks.map(({ id }) => id) : [];
  const { typed, type, faultOf, saving, save } = useStayForm<TypedStay>(onClose, () => ({
    name: '',
    from: today,
    until: '',
    phone: '',
    locks: only,
  }));
  return (
    <Sheet title={t('New stay')} onClose={onClose}>
      <EditForm
        action={t('Add')}
        {...{ saving, onClose }}
        save={async () => save(async () => call('stays.add', typed))}
      >
        {FIELDS.map(([member, kind]) => (
          <Field
            key={member}
            label={t(LABELS[member])}
            {...(member === 'phone' ? { help: t('Optional. Its last four digits become the code.') } : {})}
            kind={kind}
            value={typed[member]}
            fault={faultOf(member)}
            onInput={(text) => type({ [member]: text })}
          />
        ))}
        <Choices legend={t('Locks')} fault={faultOf('locks')}>
          <NamedChoices all={locks} chosen={typed.locks} onType={(chosen) => type({ locks: chosen })} />
        </Choices>
      </EditForm>
    </Sheet>
  );
}

const FIELDS = [
  ['name', 'text'],
  ['from', 'date'],
  ['until', 'date'],
  ['phone', 'digits'],
] as const;

const LABELS = {
  name: message('Name of the guest'),
  from: message('Check-in'),
  until: message('Check-out'),
  phone: message('Phone'),
} as const;
