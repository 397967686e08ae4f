// The sheet that erases what is kept here of one person or one lock, and says what goes and what stays.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { erasedWords, stayingWords } from '../../../src/words/history.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { Choice } from '../../shared/labelled.tsx';
import { Button, Failure } from '../parts/pieces.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';

export function HistoryErase(props: { readonly onErased: () => void }): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>{t('Erase …')}</Button>
      {isOpen && (
        <EraseSheet
          onClose={(isErased) => {
            setOpen(false);
            if (isErased) {
              props.onErased();
            }
          }}
        />
      )}
    </>
  );
}

function EraseSheet(props: { readonly onClose: (isErased: boolean) => void }): VNode {
  const { state, call } = usePageContext();
  const [people, setPeople] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState(0);
  const [entries, setEntries] = useState<number | null>(null);
  const erasing = useAction();
  const subjects = [
    ...people.map((name) => ({ name, lock: null, person: name })),
    ...(state.locks ?? []).map((lock) => ({ name: nameOf(lock), lock: lock.id, person: null })),
  ];
  const subject = subjects[chosen - 1];
  useEffect(() => {
    void call('history.people').then(setPeople, () => undefined);
  }, []);
  useEffect(() => {
    setEntries(null);
    if (subject !== undefined) {
      const { lock, person } = subject;
      void erasing.run(async () => setEntries((await call('history.count', { lock, person })).entries));
    }
  }, [chosen]);
  const erase = async (): Promise<void> => {
    const isDone = await erasing.run(async () => {
      await call('history.erase', { lock: subject?.lock ?? null, person: subject?.person ?? null });
    });
    if (isDone) {
      props.onClose(true);
    }
  };
  return (
    <Sheet title={t('Erase history')} onClose={() => props.onClose(false)}>
      <Choice
        label={t('Of which person, code or lock')}
        names={[t('Choose …'), ...subjects.map(({ name }) => name)]}
        chosen={chosen}
        onChoose={setChosen}
      />
      {subject !== undefined && entries !== null && (
        <p>
          {erasedWords(entries, subject.name)} {stayingWords()}
        </p>
      )}
      <Failure failure={erasing.failure} />
      <div class="pushes">
        <Button
          kind="risky"
          isOff={(entries ?? 0) === 0}
          isBusy={erasing.isBusy}
          onPress={() => void erase()}
        >
          {t('Erase')}
        </Button>
        <Button onPress={() => props.onClose(false)}>{t('Cancel')}</Button>
      </div>
    </Sheet>
  );
}
