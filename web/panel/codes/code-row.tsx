// The row of a code that is on one lock alone, or that only the lock or only the service has.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { hasEnded, type StrayCode } from '../../../src/domain/codes/operation.ts';
import type { ListedCode, LockCodes } from '../../../src/engine/codes/access-codes.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { doingWords } from '../../../src/words/codes.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { scheduleSentence } from '../../../src/words/schedules.ts';
import { t } from '../../../src/words/translate.ts';
import { RemoveSheet, Sheet } from '../parts/sheet.tsx';
import { usePageContext } from '../state/page-context.ts';
import { CodeForm } from './later-forms.ts';
import { PersonRow } from './people-table.tsx';

export function CodeRow(props: {
  readonly lock: LockView;
  readonly listed: LockCodes;
  readonly code: ListedCode;
  readonly onTried: () => Promise<void>;
}): VNode {
  const { lock, listed, code, onTried } = props;
  const { id, name, readOnly, schedule, revision } = code;
  const { state, call } = usePageContext();
  const [sheet, setSheet] = useState<'change' | 'remove' | null>(null);
  const close = (): void => setSheet(null);
  const underWay = (state['codes.operations'] ?? []).find(
    (one) => one.lockId === lock.id && one.codeId === id && !hasEnded(one),
  );
  return (
    <PersonRow
      name={name}
      tag={readOnly ? t('read-only') : null}
      when={scheduleSentence(schedule, listed.timeZone)}
      locks={nameOf(lock)}
      state={{ tone: 'plain', words: underWay === undefined ? t('On the lock') : doingWords(underWay) }}
      reveal={async () => call('codes.reveal', { lock: lock.id, code: id })}
      revision={revision}
      menu={(entry) =>
        !readOnly && (
          <>
            {entry(t('Change'), () => setSheet('change'))}
            {entry(t('Remove'), () => setSheet('remove'))}
          </>
        )
      }
    >
      {sheet === 'change' && (
        <Sheet title={t('Change {name}', { name })} onClose={close}>
          <CodeForm lockId={lock.id} facts={listed} code={code} onTried={onTried} onClose={close} />
        </Sheet>
      )}
      {sheet === 'remove' && <RemoveCode {...{ lock, name }} code={{ code: id, revision }} onClose={close} />}
    </PersonRow>
  );
}

/** A code that only the lock or only the service has. */
export function StrayRow({ lock, stray }: { readonly lock: LockView; readonly stray: StrayCode }): VNode {
  const { codeId, only } = stray;
  const name = stray.name ?? codeId;
  const [isRemoving, setRemoving] = useState(false);
  return (
    <PersonRow
      name={name}
      when={t('Not known')}
      locks={nameOf(lock)}
      state={{ tone: 'warning', words: t(only === 'lock' ? 'Only on the lock' : 'Not on the lock') }}
      reveal={null}
      revision={0}
      menu={(entry) => entry(t('Remove'), () => setRemoving(true))}
      below={t(
        only === 'lock'
          ? 'The lock may still open with this code, although the service does not list it. Remove it to be sure.'
          : 'The service lists this code, but the lock does not open with it. Remove it, then add it again.',
      )}
    >
      {isRemoving && (
        <RemoveCode {...{ lock, name }} code={{ code: codeId }} onClose={() => setRemoving(false)} />
      )}
    </PersonRow>
  );
}

function RemoveCode(props: {
  readonly lock: LockView;
  readonly name: string;
  /** Without a revision where the service does not list it. */
  readonly code: { readonly code: string; readonly revision?: number };
  readonly onClose: () => void;
}): VNode {
  const { lock, name, code, onClose } = props;
  return (
    <RemoveSheet
      name={name}
      question={t('The code will no longer open {lock}. Remove it?', { lock: nameOf(lock) })}
      operation="codes.remove"
      input={{ lock: lock.id, ...code }}
      outdated={['codes.operations']}
      onClose={onClose}
    />
  );
}
