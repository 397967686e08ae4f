// The form of a guest who comes in between stays: name, code, the calendars, and the hour at which it ends.
import type { VNode } from 'preact';
import type { CodeFault } from '../../../src/domain/codes/access-code-policy.ts';
import { commonLength } from '../../../src/domain/codes/pin-length.ts';
import { message } from '../../../src/domain/language/message.ts';
import type { LockRules } from '../../../src/engine/codes/access-codes.ts';
import type { CalendarView } from '../../../src/features/stays/panel/views.ts';
import type { GuestAnswer, GuestView } from '../../../src/panel/operations/guests.ts';
import { t } from '../../../src/words/translate.ts';
import { NameAndPin, randomPin, SavedCode, useSavedCode } from '../codes/forms.ts';
import { useLockRules } from '../codes/lock-codes.ts';
import { Choices, EditForm, NamedChoices, useEditForm } from '../parts/edit-form.tsx';
import { Field } from '../parts/fields.tsx';
import { Waiting } from '../parts/pieces.tsx';
import { usePageContext } from '../state/page-context.ts';

interface FormProps {
  /** Null: a new one. */
  readonly guest: GuestView | null;
  readonly onClose: () => void;
}

export function CleanerForm(props: FormProps): VNode {
  const { rules, failure } = useLockRules('all');
  return rules === null ? <Waiting failure={failure} /> : <LoadedForm {...props} rules={rules} />;
}

interface Typed {
  readonly name: string;
  readonly pin: string;
  readonly calendars: readonly string[];
  /** Empty: to the check-in. */
  readonly until: string;
}

interface LoadedProps extends FormProps {
  readonly rules: readonly LockRules[];
}

function useCleanerForm({ guest, rules, onClose }: LoadedProps) {
  const { call, read, state } = usePageContext();
  const all = state['stays.list']?.calendars ?? [];
  const form = useEditForm<Typed, CodeFault>(() => typedOf(guest, all, rules));
  const { opened, typed, setFaults, submit } = form;
  const { saved, finish } = useSavedCode(onClose);
  const { pin, calendars } = typed;
  const name = typed.name.trim();
  const stays = { calendars, until: typed.until === '' ? null : typed.until };
  const send = async (): Promise<GuestAnswer> =>
    guest === null
      ? call('guests.add-between', { name, pin, ...stays })
      : call('guests.change-between', {
          guest: guest.id,
          revision: guest.revision,
          changes: { ...(name === opened.name ? {} : { name }), ...(pin === '' ? {} : { pin }) },
          ...stays,
        });
  const save = async (): Promise<void> => {
    if (calendars.length === 0) {
      setFaults([NO_CALENDAR]);
      return;
    }
    const answer = await submit(send, async () => read('guests.list'));
    if (answer?.kind === 'saved') {
      finish(answer.guest.name, pin, answer.guest);
    }
  };
  return { ...form, all, save, saved };
}

/** Digits that are hard to guess stand there at once: whoever cleans has none of their own. */
function typedOf(guest: GuestView | null, all: readonly CalendarView[], rules: readonly LockRules[]): Typed {
  if (guest !== null) {
    const { calendars = [], until = null } = guest.between ?? {};
    return { name: guest.name, pin: '', calendars, until: until ?? '' };
  }
  const length = commonLength(rules);
  const calendars = all.length === 1 ? all.map(({ id }) => id) : [];
  return { name: '', pin: length === null ? '' : randomPin(length), calendars, until: '' };
}

function LoadedForm(props: LoadedProps): VNode {
  const { guest, rules, onClose } = props;
  const { all, typed, type, faultOf, saving, save, saved } = useCleanerForm(props);
  if (saved !== null) {
    return <SavedCode {...saved} onClose={onClose} />;
  }
  const locks = all.filter(({ id }) => typed.calendars.includes(id)).flatMap((one) => one.locks);
  return (
    <EditForm action={t(guest === null ? 'Add the cleaner' : 'Save')} {...{ saving, save, onClose }}>
      <NameAndPin
        {...{ typed, type, guest, faultOf }}
        locks={rules.filter(({ lockId }) => locks.length === 0 || locks.includes(lockId))}
        isNew={guest === null}
      />
      <Choices
        legend={t('Between the stays of')}
        fault={faultOf('lock') ?? faultOf('schedule')}
        about={
          <p>
            {t(
              'The code works from a check-out to the next check-in. Other calendars of the same doors count as well. If a calendar cannot be read for a day, the code stops working until it can.',
            )}
          </p>
        }
      >
        <NamedChoices all={all} chosen={typed.calendars} onType={(calendars) => type({ calendars })} />
      </Choices>
      <Field
        label={t('At most until')}
        help={t(
          'On the day of the check-out, or on the next day if that hour has passed. Empty: until the next check-in, at most seven days.',
        )}
        kind="time"
        value={typed.until}
        onInput={(until) => type({ until })}
      />
    </EditForm>
  );
}

const NO_CALENDAR: CodeFault = {
  field: 'lock',
  reason: 'values-invalid',
  words: message('Choose at least one calendar.'),
};
