// Access codes: one table of guests and of codes on single locks, a form for more, and the progress of each change.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { namesOrCount } from '../../../src/words/guests.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { EmptyPage, NoLocks } from '../parts/empty-page.tsx';
import { KeyIcon } from '../parts/icons.tsx';
import { Button, Failure, LockChoice } from '../parts/pieces.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import { CodeRow, StrayRow } from './code-row.tsx';
import { GuestRow } from './guest-row.tsx';
import { GuestForm, NewCode, RemoveAll } from './later-forms.ts';
import { type ReadCodes, singleCodes, useLockCodes } from './lock-codes.ts';
import { CodeChanges, Proposals } from './notices.tsx';
import { PeopleTable } from './people-table.tsx';

/** The codes of up to this many locks are read at once: each is a call to the service. With more, a person chooses a lock. */
const MOST_READ = 12;

/** `lock`: the one whose codes are wanted; null: all. */
export function CodesPage({ lock }: { readonly lock: LockId | null }): VNode {
  const { state } = usePageContext();
  const locks = state.locks ?? [];
  return locks.length === 0 ? <NoLocks /> : <People locks={locks} first={lock} />;
}

type SheetName = 'guest' | 'code' | 'clear';

function People(props: { readonly locks: readonly LockView[]; readonly first: LockId | null }): VNode {
  const { locks, first } = props;
  const { state, call } = usePageContext();
  const [chosenId, setChosen] = useState<LockId | null>(first);
  const chosen = locks.find(({ id }) => id === chosenId) ?? null;
  const read = chosen === null ? (locks.length > MOST_READ ? [] : locks) : [chosen];
  const codes = useLockCodes(read.map(({ id }) => id));
  const looking = useAction();
  // Somebody may have changed a code while the page was hidden.
  const look = async (): Promise<boolean> => looking.run(async () => call('guests.look'));
  useEffect(() => void look(), []);
  const all = state['guests.list'] ?? [];
  const guests = all.filter(
    ({ onLocks }) => chosen === null || onLocks.some(({ lockId }) => lockId === chosen.id),
  );
  // Here, because the button of an empty page goes as soon as the guest is stored, and the digits are shown then.
  const [sheet, setSheet] = useState<SheetName | null>(null);
  const onClose = (): void => setSheet(null);
  const failed = read.flatMap((lock) => {
    const failure = codes.failures.get(lock.id);
    return failure === undefined ? [] : [{ name: nameOf(lock), failure }];
  });
  return (
    <>
      <p class="about">
        {t('Guests: one code for several locks. Offline locks catch up when they’re back.')}
      </p>
      <div class="bar">
        {locks.length > 1 && <LockChoice locks={locks} chosen={chosen?.id ?? null} onChoose={setChosen} />}
        <Pushes
          isBusy={codes.isBusy}
          onSheet={setSheet}
          onRefresh={() => {
            void codes.readAll();
            void look();
          }}
        />
      </div>
      {sheet === 'guest' && (
        <Sheet title={t('New guest')} onClose={onClose}>
          <GuestForm guest={null} onClose={onClose} />
        </Sheet>
      )}
      {sheet === 'code' && <NewCode {...{ locks, chosen, onClose }} onTried={codes.readOne} />}
      {sheet === 'clear' && <RemoveAll {...{ locks, chosen, onClose }} />}
      <Proposals guests={all} />
      <CodeChanges locks={locks} shown={read.length === 0 ? locks : read} />
      <Listed locks={read} guests={guests} codes={codes} onGuest={() => setSheet('guest')} />
      {read.length === 0 && <p class="about">{t('Choose a lock to see the codes that are on it alone.')}</p>}
      {[...Map.groupBy(failed, ({ failure }) => failure.message)].map(([message, ones]) => (
        <Failure
          key={message}
          failure={ones[0]?.failure ?? null}
          of={namesOrCount(ones.map(({ name }) => name))}
        />
      ))}
      <Failure failure={looking.failure} />
    </>
  );
}

function Pushes(props: {
  readonly isBusy: boolean;
  readonly onSheet: (sheet: SheetName) => void;
  readonly onRefresh: () => void;
}): VNode {
  const { isBusy, onSheet, onRefresh } = props;
  return (
    <div class="pushes">
      <Button kind="main" onPress={() => onSheet('guest')}>
        {t('Add a guest')}
      </Button>
      <Button onPress={() => onSheet('code')}>{t('Add a code')}</Button>
      <Button isBusy={isBusy} onPress={onRefresh}>
        {t('Refresh')}
      </Button>
      <RowMenu of={t('all codes')} isOne>
        {(entry) => entry(t('Remove all codes of a lock'), () => onSheet('clear'))}
      </RowMenu>
    </div>
  );
}

/** Guests first, then codes without a guest, lock by lock. */
function Listed(props: {
  readonly locks: readonly LockView[];
  readonly guests: readonly GuestView[];
  readonly codes: ReadCodes;
  readonly onGuest: () => void;
}): VNode {
  const { locks, guests, codes, onGuest } = props;
  const all = usePageContext().state['guests.list'] ?? [];
  const found = locks.flatMap((lock) => {
    const listed = codes.listed.get(lock.id);
    return listed === undefined ? [] : [{ lock, listed }];
  });
  const single = found.flatMap(({ lock, listed }) =>
    singleCodes(lock.id, listed, all).map((code) => ({ lock, listed, code })),
  );
  const strays = found.flatMap(({ lock, listed }) => listed.strays.map((stray) => ({ lock, stray })));
  const isComplete = found.length === locks.length;
  const isEmpty = guests.length + single.length + strays.length === 0;
  return (
    <>
      <p role="status">
        {!isComplete && codes.isBusy ? t('Loading codes …') : countWords(guests.length, single.length)}
      </p>
      {isEmpty && isComplete && (
        <EmptyPage
          picture={<KeyIcon />}
          words={t('Give everyone a code of their own: you say when it works, and see who came.')}
        >
          <Button kind="main" onPress={onGuest}>
            {t('Add the first guest')}
          </Button>
        </EmptyPage>
      )}
      {!isEmpty && (
        <PeopleTable caption={t('Guests and codes')}>
          {guests.map((guest) => (
            <GuestRow key={guest.id} guest={guest} />
          ))}
          {strays.map(({ lock, stray }) => (
            <StrayRow key={`${lock.id} ${stray.codeId}`} lock={lock} stray={stray} />
          ))}
          {single.map(({ lock, listed, code }) => (
            <CodeRow
              key={`${lock.id} ${code.id}`}
              lock={lock}
              listed={listed}
              code={code}
              onTried={async () => codes.readOne(lock.id)}
            />
          ))}
        </PeopleTable>
      )}
    </>
  );
}

function countWords(guests: number, codes: number): string {
  if (guests === 0) {
    return codes === 0
      ? t('There are no guests or codes yet.')
      : t('{codes, plural, one {# code} other {# codes}}.', { codes });
  }
  return codes === 0
    ? t('{guests, plural, one {# guest} other {# guests}}.', { guests })
    : t('{guests, plural, one {# guest} other {# guests}}, {codes, plural, one {# code} other {# codes}}.', {
        guests,
        codes,
      });
}
