// A lock that was replaced: guests, stays, calendars and history go to the new one in one step.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Message, message } from '../../../src/domain/language/message.ts';
import { replacedWords } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { Choice } from '../../shared/labelled.tsx';
import { EditForm, useNamedLocks } from '../parts/edit-form.tsx';
import { Button, Failure } from '../parts/pieces.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { readingsAfter } from '../state/account-state.ts';
import { useAction, usePageContext } from '../state/page-context.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

export function ReplaceLock(): VNode | null {
  const { state, call } = usePageContext();
  const [old, setOld] = useState<readonly Named[] | null>(null);
  const asking = useAction();
  const open = (): void => {
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
      {old !== null && <ReplaceSheet old={old} onClose={() => setOld(null)} />}
    </>
  );
}

interface SheetProps {
  readonly old: readonly Named[];
  readonly onClose: () => void;
}

/** What was moved, and what is left to do, stays until it is closed. */
function ReplaceSheet({ old, onClose }: SheetProps): VNode {
  const [done, setDone] = useState<readonly Message[] | null>(null);
  return (
    <Sheet title={t('A lock was replaced')} onClose={onClose}>
      {done === null ? (
        <ReplaceForm {...{ old, onClose }} onDone={setDone} />
      ) : (
        <Outcome done={done} onClose={onClose} />
      )}
    </Sheet>
  );
}

function Outcome({
  done,
  onClose,
}: Pick<SheetProps, 'onClose'> & { readonly done: readonly Message[] }): VNode {
  const place = useRef<HTMLDivElement>(null);
  // The button that was pushed is gone.
  useEffect(() => place.current?.focus(), []);
  return (
    <div class="code-form">
      <div ref={place} class="code-form" tabIndex={-1}>
        {done.map((words) => (
          <p key={words.text}>{t(words)}</p>
        ))}
      </div>
      <div class="pushes">
        <Button kind="main" onPress={onClose}>
          {t('Close')}
        </Button>
      </div>
    </div>
  );
}

function ReplaceForm(props: SheetProps & { readonly onDone: (done: readonly Message[]) => void }): VNode {
  const { old, onDone, onClose } = props;
  const { state, call, read } = usePageContext();
  const missing = new Set(state.locks?.flatMap(({ id, presence }) => (presence === 'missing' ? [id] : [])));
  const fresh = useNamedLocks().filter(({ id }) => !missing.has(id));
  // By their ids: the list changes while the sheet is open.
  const [fromId, setFrom] = useState(old[0]?.id);
  // The newest lock stands last in the list of the account.
  const [toId, setTo] = useState((fresh.findLast(({ id }) => id !== old[0]?.id) ?? fresh[0])?.id);
  const from = old.findIndex(({ id }) => id === fromId);
  const to = fresh.findIndex(({ id }) => id === toId);
  const saving = useAction();
  const save = async (): Promise<void> => {
    await saving.run(async () => {
      const moved = await call('locks.replace', { old: old[from]?.id ?? '', by: fresh[to]?.id ?? '' });
      await read(...readingsAfter(state, { type: 'guests' }), ...readingsAfter(state, { type: 'stays' }));
      onDone([replacedWords(moved), ...moved.notes]);
    });
  };
  return (
    <EditForm action={t('Move everything')} {...{ saving, save, onClose }}>
      <p>{t(ABOUT)}</p>
      <Choice
        label={t('Old lock')}
        names={old.map(({ name }) => name)}
        chosen={from}
        onChoose={(index) => setFrom(old[index]?.id)}
      />
      <Choice
        label={t('New lock')}
        names={fresh.map(({ name }) => name)}
        chosen={to}
        onChoose={(index) => setTo(fresh[index]?.id)}
      />
    </EditForm>
  );
}

const ABOUT = message(
  'Guests, stays, calendars, settings and the history of the old lock go to the new one. Codes without a guest do not. In the Home app, the new lock needs its room and automations again.',
);
