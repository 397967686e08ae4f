// The form of one calendar: its address and its locks, and everything else folded.
import type { VNode } from 'preact';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { CalendarChange, CalendarView, StayFault } from '../../../src/features/stays/panel/views.ts';
import { t } from '../../../src/words/translate.ts';
import { Fold } from '../../shared/fold.tsx';
import { Choices, EditForm, NamedChoices, useEditForm, useNamedLocks } from '../parts/edit-form.tsx';
import { Field } from '../parts/fields.tsx';
import { usePageContext } from '../state/page-context.ts';
import {
  changeOf,
  faultsBefore,
  suggestedName,
  type TypedCalendar,
  typedCalendar,
} from './calendar-draft.ts';
import { CalendarOptions } from './calendar-options.tsx';

interface FormProps {
  /** Null: a new one. */
  readonly calendar: CalendarView | null;
  readonly onClose: () => void;
}

interface NamedLock {
  readonly id: LockId;
  readonly name: string;
}

function useCalendarForm({ calendar, onClose }: FormProps) {
  const { call, read, state } = usePageContext();
  const locks = locksFor(calendar, useNamedLocks());
  const form = useEditForm<TypedCalendar, StayFault>(() =>
    typedCalendar(
      calendar,
      locks.map(({ id }) => id),
    ),
  );
  const { opened, typed, setFaults, submit } = form;
  const known = state['stays.list']?.calendars ?? [];
  const send = async (change: CalendarChange) => {
    if (calendar !== null) {
      return call('stays.change-calendar', { calendar: calendar.id, change });
    }
    const chosen = locks.filter(({ id }) => typed.locks.includes(id));
    const name = change.name ?? suggestedName(chosen, known);
    return call('stays.add-calendar', { ...change, name, locks: typed.locks });
  };
  const save = async (): Promise<void> => {
    const wrong = faultsBefore(typed, calendar === null);
    setFaults(wrong);
    if (wrong.length > 0) {
      return;
    }
    const change = changeOf(opened, typed);
    const answer = await submit(
      async () => send(change),
      async () => read('stays.list'),
    );
    if (answer?.kind === 'saved') {
      onClose();
      const added = answer.stays.calendars.find(({ id }) => known.every((one) => one.id !== id));
      const fresh = calendar?.id ?? added?.id;
      if (fresh !== undefined && change.address !== undefined) {
        // How it went stands with the calendar.
        call('stays.read', { calendar: fresh })
          .then(async () => read('stays.list'))
          .catch(() => undefined);
      }
    }
  };
  return { ...form, locks, save };
}

/** The locks of the account, and those that only the calendar still knows. */
function locksFor(calendar: CalendarView | null, present: readonly NamedLock[]): readonly NamedLock[] {
  const gone = (calendar?.locks ?? []).flatMap((id, index) =>
    present.some((lock) => lock.id === id) ? [] : [{ id, name: calendar?.lockNames[index] ?? id }],
  );
  return [...present, ...gone];
}

export function CalendarForm(props: FormProps): VNode {
  const { calendar, onClose } = props;
  const { locks, typed, type, faults, faultOf, saving, save } = useCalendarForm(props);
  const isWritten = calendar?.from === 'config';
  return (
    <EditForm action={t('Save')} {...{ saving, save, onClose }}>
      {calendar?.from !== 'hand' && (
        <Address
          typed={typed}
          type={type}
          isSaved={(calendar?.addressFrom ?? null) !== null}
          fault={faultOf('address')}
        />
      )}
      {!isWritten && (
        <>
          <Choices legend={t('Locks')} fault={faultOf('locks')}>
            <NamedChoices all={locks} chosen={typed.locks} onType={(chosen) => type({ locks: chosen })} />
          </Choices>
          <Fold
            title={t('More')}
            opens={faults.some(({ field }) => field !== 'address' && field !== 'locks')}
          >
            {() => (
              <CalendarOptions
                {...{ typed, type, faultOf }}
                isNew={calendar === null}
                locks={locks.filter(({ id }) => typed.locks.includes(id))}
              />
            )}
          </Fold>
        </>
      )}
    </EditForm>
  );
}

interface PartProps {
  readonly typed: TypedCalendar;
  readonly type: (changes: Partial<TypedCalendar>) => void;
  readonly fault: string | null;
}

/** The address is entered, and never shown again. */
function Address({ typed, type, fault, isSaved }: PartProps & { readonly isSaved: boolean }): VNode {
  return (
    <Field
      label={t('Address of the calendar')}
      help={t(
        isSaved
          ? 'Leave empty to keep the saved one.'
          : 'Your booking portal shows it where the calendar is exported (iCal). It is stored in a private file and never displayed again.',
      )}
      isSecret
      value={typed.address}
      fault={fault}
      {...(isSaved ? { placeholder: t('Saved') } : {})}
      onInput={(address) => type({ address })}
    />
  );
}
