// A stay that no calendar has: its name, its days, its locks, and the guest's phone.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { message } from '../../../src/domain/language/message.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { StayFault } from '../../../src/features/stays/panel/views.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { Choices, EditForm, NamedChoices } from '../parts/edit-form.tsx';
import { Field } from '../parts/fields.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';

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
  const { call, read, state } = usePageContext();
  const locks = (state.locks ?? []).map((lock) => ({ id: lock.id, name: nameOf(lock) }));
  const only = locks.length === 1 ? locks.map(({ id }) => id) : [];
  const [typed, setTyped] = useState<Typed>({ name: '', from: today, until: '', phone: '', locks: only });
  const [faults, setFaults] = useState<readonly StayFault[]>([]);
  const saving = useAction();
  const type = (changes: Partial<Typed>): void => setTyped({ ...typed, ...changes });
  const save = async (): Promise<void> => {
    await saving.run(async () => {
      const answer = await call('stays.add', typed);
      setFaults(answer.kind === 'invalid' ? answer.faults : []);
      await read('stays.list', 'guests.list');
      if (answer.kind === 'saved') {
        onClose();
      }
    });
  };
  const faultOf = (field: StayFault['field']): string | null => {
    const found = faults.find((fault) => fault.field === field);
    return found === undefined ? null : t(found.words);
  };
  return (
    <Sheet title={t('New stay')} onClose={onClose}>
      <EditForm label={t('New stay')} action={t('Add')} {...{ saving, save, onClose }}>
        {FIELDS.map(([member, kind]) => (
          <Field
            key={member}
            label={t(LABELS[member])}
            {...(member === 'phone' ? { help: t('Optional. Its last four digits become the code.') } : {})}
            kind={kind}
            value={typed[member]}
            fault={faultOf(member)}
            showsFault={faultOf(member) !== null}
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
