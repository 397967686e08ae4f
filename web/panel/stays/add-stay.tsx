// A stay that no calendar has: its name, its days, its locks, and the guest's phone.
import type { VNode } from 'preact';
import { message } from '../../../src/domain/language/message.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { StayFault } from '../../../src/features/stays/panel/views.ts';
import { t } from '../../../src/words/translate.ts';
import { Choices, EditForm, NamedChoices, useEditForm, useNamedLocks } from '../parts/edit-form.tsx';
import { Field } from '../parts/fields.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { usePageContext } from '../state/page-context.ts';

interface Typed {
  readonly name: string;
  readonly from: string;
  readonly until: string;
  readonly phone: string;
  readonly locks: readonly LockId[];
}

/** `today`: a day such as "2026-12-12", on the clocks of the locks. */
export function AddStay(props: { readonly today: string; readonly onClose: () => void }): VNode {
  const { today, onClose } = props;
  const { call, read } = usePageContext();
  const locks = useNamedLocks();
  const only = locks.length === 1 ? locks.map(({ id }) => id) : [];
  const { typed, type, faultOf, saving, submit } = useEditForm<Typed, StayFault>(() => ({
    name: '',
    from: today,
    until: '',
    phone: '',
    locks: only,
  }));
  const save = async (): Promise<void> => {
    const answer = await submit(
      async () => call('stays.add', typed),
      async () => read('stays.list', 'guests.list'),
    );
    if (answer?.kind === 'saved') {
      onClose();
    }
  };
  return (
    <Sheet title={t('New stay')} onClose={onClose}>
      <EditForm action={t('Add')} {...{ saving, save, onClose }}>
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
