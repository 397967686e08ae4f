// A lock that was replaced: guests, stays, calendars and history go to the new one in one step.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { message } from '../../../src/domain/language/message.ts';
import { nameOf, replacedWords } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { Choice } from '../../shared/labelled.tsx';
import { Button, Failure, Notice } from '../parts/pieces.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What was done; null: nothing yet. */
type Done = readonly string[] | null;

export function ReplaceLock(): VNode | null {
  const { state, call } = usePageContext();
  const [old, setOld] = useState<readonly Named[] | null>(null);
  const [done, setDone] = useState<Done>(null);
  const asking = useAction();
  const open = (): void => {
    setDone(null);
    void asking.run(async () => setOld(await call('locks.replaced')));
  };
  if ((state.locks ?? []).length === 0) {
    return null;
  }
  return (
    <>
      <Button isBusy={asking.isBusy} onPress={open}>
        {t('A lock was replaced')}
      </Button>
      <Failure failure={asking.failure} />
      {done !== null && (
        <Notice tone="plain">
          {done.map((words) => (
            <p key={words}>{words}</p>
          ))}
        </Notice>
      )}
      {old !== null && <ReplaceSheet old={old} onDone={setDone} onClose={() => setOld(null)} />}
    </>
  );
}

function ReplaceSheet(props: {
  readonly old: readonly Named[];
  readonly onDone: (done: Done) => void;
  readonly onClose: () => void;
}): VNode {
  const { old, onDone, onClose } = props;
  const { state, call, read } = usePageContext();
  const fresh = (state.locks ?? [])
    .filter(({ presence }) => presence !== 'missing')
    .map((lock) => ({ id: lock.id, name: nameOf(lock) }));
  const [from, setFrom] = useState(0);
  // The newest lock stands last in the list of the account.
  const [to, setTo] = useState(
    Math.max(
      0,
      fresh.findLastIndex(({ id }) => id !== old[0]?.id),
    ),
  );
  const moving = useAction();
  const move = async (): Promise<void> => {
    const isDone = await moving.run(async () => {
      const moved = await call('locks.replace', { old: old[from]?.id ?? '', by: fresh[to]?.id ?? '' });
      await read('guests.list', 'stays.list');
      onDone([replacedWords(moved), ...moved.notes].map((words) => t(words)));
    });
    if (isDone) {
      onClose();
    }
  };
  return (
    <Sheet title={t('A lock was replaced')} onClose={onClose}>
      <div class="code-form">
        <p>{t(ABOUT)}</p>
        <Choice label={t('Old lock')} names={old.map(({ name }) => name)} chosen={from} onChoose={setFrom} />
        <Choice label={t('New lock')} names={fresh.map(({ name }) => name)} chosen={to} onChoose={setTo} />
        <Failure failure={moving.failure} />
        <div class="pushes">
          <Button kind="main" isBusy={moving.isBusy} onPress={() => void move()}>
            {t('Move everything')}
          </Button>
          <Button onPress={onClose}>{t('Cancel')}</Button>
        </div>
      </div>
    </Sheet>
  );
}

const ABOUT = message(
  'Guests, stays, calendars, settings and the history of the old lock go to the new one. Codes without a guest do not. In the Home app, the new lock needs its room and automations again.',
);
