// The form of one calendar: its address and its locks, and everything else folded.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { CalendarChange, CalendarView, StayFault } from '../../../src/features/stays/panel/views.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { Fold } from '../../shared/fold.tsx';
import { Choices, EditForm, NamedChoices } from '../parts/edit-form.tsx';
import { Field } from '../parts/fields.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
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

const NO_FAULTS: readonly StayFault[] = [];

function useCalendarForm({ calendar, onClose }: FormProps) {
  const { call, read, state } = usePageContext();
  const locks = locksFor(
    calendar,
    (state.locks ?? []).map((lock) => ({ id: lock.id, name: nameOf(lock) })),
  );
  const [opened] = useState(() =>
    typedCalendar(
      calendar,
      locks.map(({ id }) => id),
    ),
  );
  const [typed, setTyped] = useState(opened);
  const [faults, setFaults] = useState(NO_FAULTS);
  const saving = useAction();
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
    await saving.run(async () => {
      const change = changeOf(opened, typed);
      const answer = await send(change);
      setFaults(answer.kind === 'invalid' ? answer.faults : NO_FAULTS);
      await read('stays.list');
      if (answer.kind === 'saved') {
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
    });
  };
  const type = (changes: Partial<TypedCalendar>): void => setTyped({ ...typed, ...changes });
  return { locks, typed, type, faults, saving, save };
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
  const { locks, typed, type, faults, saving, save } = useCalendarForm(props);
  const faultOf = (field: StayFault['field']): string | null => {
    const found = faults.find((fault) => fault.field === field);
    return found === undefined ? null : t(found.words);
  };
  const isWritten = calendar?.from === 'config';
  return (
    <EditForm
      label={calendar === null ? t('New calendar') : t('Change {name}', { name: calendar.name })}
      action={t('Save')}
      {...{ saving, save, onClose }}
    >
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
      showsFault={fault !== null}
      {...(isSaved ? { placeholder: t('Saved') } : {})}
      onInput={(address) => type({ address })}
    />
  );
}
