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
import { type CallError, shownError } from '../state/transport.ts';

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

/** A person or a lock; the other one is null. */
interface Subject {
  readonly name: string;
  readonly lock: string | null;
  readonly person: string | null;
}

interface Count {
  /** Null until they are counted. */
  readonly entries: number | null;
  readonly uncounted: CallError | null;
}

const NOT_YET: Count = { entries: null, uncounted: null };

/** How many entries of the subject are kept here. */
function useCount(subject: Subject | undefined): Count {
  const { call } = usePageContext();
  const [count, setCount] = useState(NOT_YET);
  useEffect(() => {
    setCount(NOT_YET);
    if (subject === undefined) {
      return undefined;
    }
    // The count of a former choice may come after that of the present one.
    let isPresent = true;
    void call('history.count', { lock: subject.lock, person: subject.person }).then(
      ({ entries }) => isPresent && setCount({ entries, uncounted: null }),
      (thrown: unknown) => isPresent && setCount({ entries: null, uncounted: shownError(thrown) }),
    );
    return () => {
      isPresent = false;
    };
  }, [subject?.lock, subject?.person]);
  return count;
}

function EraseSheet(props: { readonly onClose: (isErased: boolean) => void }): VNode {
  const { state, call } = usePageContext();
  const [people, setPeople] = useState<readonly string[]>([]);
  // Not its place in the list, which changes when the people have been read.
  const [chosen, setChosen] = useState<Subject | null>(null);
  const erasing = useAction();
  const subjects: readonly Subject[] = [
    ...people.map((name) => ({ name, lock: null, person: name })),
    ...(state.locks ?? []).map((lock) => ({ name: nameOf(lock), lock: lock.id, person: null })),
  ];
  const place = subjects.findIndex(({ lock, person }) => lock === chosen?.lock && person === chosen?.person);
  const subject = subjects[place];
  const { entries, uncounted } = useCount(subject);
  useEffect(() => {
    void call('history.people').then(setPeople, () => undefined);
  }, []);
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
        chosen={place + 1}
        onChoose={(index) => setChosen(subjects[index - 1] ?? null)}
      />
      {subject !== undefined && entries !== null && (
        <p>
          {erasedWords(entries, subject.name)} {stayingWords()}
        </p>
      )}
      <Failure failure={erasing.failure ?? uncounted} />
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
