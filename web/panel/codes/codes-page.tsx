// Access codes: one table of guests and of codes on single locks, a form for more, and the progress of each change.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { namesOrCount } from '../../../src/words/guests.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { EmptyPage, NoLocks } from '../parts/empty-page.tsx';
import { KeyIcon } from '../parts/icons.tsx';
import { PeopleTable } from '../parts/people-table.tsx';
import { Button, Failure, LockChoice } from '../parts/pieces.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import { CodeForm, RemoveAll } from './later-forms.ts';
import { type ReadCodes, singleCodes, useLockCodes } from './lock-codes.ts';
import { CodeChanges, Proposals } from './notices.tsx';
import { CodeRow, GuestRow, StrayRow } from './person-rows.tsx';

/** The codes of up to this many locks are read at once: each is a call to the service. With more, a person chooses a lock. */
const MOST_READ = 12;

/** `lock`: the one whose codes are wanted; null: all. */
export function CodesPage({ lock }: { readonly lock: LockId | null }): VNode {
  const { state } = usePageContext();
  const locks = state.locks ?? [];
  return locks.length === 0 ? <NoLocks /> : <People locks={locks} first={lock} />;
}

function People(props: { readonly locks: readonly LockView[]; readonly first: LockId | null }): VNode {
  const { locks, first } = props;
  const { call } = usePageContext();
  const [chosenId, setChosen] = useState<LockId | null>(first);
  const chosen = locks.find(({ id }) => id === chosenId) ?? null;
  const read = chosen === null ? (locks.length > MOST_READ ? [] : locks) : [chosen];
  const codes = useLockCodes(read.map(({ id }) => id));
  const comparing = useAction();
  // Somebody may have changed a code while the page was hidden.
  const compare = async (): Promise<boolean> => comparing.run(async () => call('guests.look'));
  useEffect(() => void compare(), []);
  // Here, because the button of an empty page goes as soon as the guest is stored, and the digits are shown then.
  const [sheet, setSheet] = useState<SheetName | null>(null);
  const onClose = (): void => setSheet(null);
  return (
    <>
      <p class="about">
        {t('Guests: one code for several locks. Offline locks catch up when they’re back.')}
      </p>
      <div class="bar">
        {locks.length > 1 && <LockChoice locks={locks} chosen={chosen?.id ?? null} onChoose={setChosen} />}
        <Pushes
          {...{ locks, chosen }}
          isBusy={codes.isBusy}
          onSheet={setSheet}
          onRefresh={() => void Promise.all([codes.readAll(), compare()])}
        />
      </div>
      {sheet !== null && (
        <Sheet title={t(sheet === 'guest' ? 'New guest' : 'New code')} onClose={onClose}>
          {sheet === 'guest' ? (
            <CodeForm guest={null} onClose={onClose} />
          ) : (
            <CodeForm lock={chosen?.id} onTried={codes.readAll} onClose={onClose} />
          )}
        </Sheet>
      )}
      <Proposals />
      <CodeChanges locks={read.length === 0 ? locks : read} />
      <Listed locks={read} chosen={chosen} codes={codes} onGuest={() => setSheet('guest')} />
      {read.length === 0 && <p class="about">{t('Choose a lock to see the codes that are on it alone.')}</p>}
      <Failure failure={comparing.failure} />
    </>
  );
}

type SheetName = 'guest' | 'code';

function Pushes(props: {
  readonly locks: readonly LockView[];
  readonly chosen: LockView | null;
  readonly isBusy: boolean;
  readonly onSheet: (sheet: SheetName) => void;
  readonly onRefresh: () => void;
}): VNode {
  const { locks, chosen, isBusy, onSheet, onRefresh } = props;
  const removal = (onClose: () => void): VNode => <RemoveAll {...{ locks, chosen, onClose }} />;
  return (
    <div class="pushes">
      <Button kind="main" onPress={() => onSheet('guest')}>
        {t('Add a guest')}
      </Button>
      <Button onPress={() => onSheet('code')}>{t('Add a code')}</Button>
      <Button isBusy={isBusy} onPress={onRefresh}>
        {t('Refresh')}
      </Button>
      <RowMenu
        isOne
        of={t('all codes')}
        entries={[{ label: t('Remove all codes of a lock'), sheet: removal }]}
      />
    </div>
  );
}

interface ListedProps {
  readonly locks: readonly LockView[];
  /** The lock whose guests are shown; null: all guests. */
  readonly chosen: LockView | null;
  readonly codes: ReadCodes;
  readonly onGuest: () => void;
}

/** Guests first, then codes without a guest, lock by lock, and the locks whose codes could not be read. */
function Listed({ locks, chosen, codes, onGuest }: ListedProps): VNode {
  const all = usePageContext().state['guests.list'] ?? [];
  const guests = all.filter(
    ({ onLocks }) => chosen === null || onLocks.some(({ lockId }) => lockId === chosen.id),
  );
  const found = locks.flatMap((lock) => {
    const { listed } = codes.of(lock.id);
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
            <CodeRow key={`${lock.id} ${code.id}`} {...{ lock, listed, code }} onTried={codes.readAll} />
          ))}
        </PeopleTable>
      )}
      <Unread locks={locks} codes={codes} />
    </>
  );
}

/** Why codes could not be read, once for all locks that say the same. */
function Unread({ locks, codes }: Pick<ListedProps, 'locks' | 'codes'>): VNode {
  const byWords = Map.groupBy(locks, ({ id }) => codes.of(id).failure?.message);
  return (
    <>
      {[...byWords.values()].map((alike) => {
        const failure = alike.map(({ id }) => codes.of(id).failure).at(0) ?? null;
        return <Failure key={failure?.message} failure={failure} of={namesOrCount(alike.map(nameOf))} />;
      })}
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
