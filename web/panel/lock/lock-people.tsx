// Who may come in at one lock: its guests, and the codes that are on it alone.
import type { VNode } from 'preact';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { standingWords } from '../../../src/words/guests.ts';
import { scheduleSentence } from '../../../src/words/schedules.ts';
import { t } from '../../../src/words/translate.ts';
import { singleCodes, useLockCodes } from '../codes/lock-codes.ts';
import { Button, Failure, Part } from '../parts/pieces.tsx';
import { usePageContext, useWay } from '../state/page-context.ts';

interface Person {
  readonly key: string;
  readonly name: string;
  readonly when: string;
  /** Why the code may not open, or may still do; empty while it does as it says. */
  readonly doubt: string;
}

export function LockPeople({ lock }: { readonly lock: LockView }): VNode {
  const go = useWay();
  const { may, state } = usePageContext();
  const { of, isBusy } = useLockCodes([lock.id]);
  const { listed: codes, failure } = of(lock.id);
  const people: readonly Person[] = [
    ...guestsOf(lock, state['guests.list'] ?? []),
    ...(codes === undefined ? [] : singleCodes(lock.id, codes, state['guests.list'])).map(
      ({ id, name, schedule }) => ({
        key: id,
        name,
        when: scheduleSentence(schedule, codes?.timeZone ?? 'UTC'),
        doubt: '',
      }),
    ),
    ...(codes?.strays ?? [])
      .filter(({ only }) => only === 'lock')
      .map(({ codeId, name }) => ({
        key: `stray ${codeId}`,
        name: name ?? codeId,
        when: t('Not known'),
        doubt: t('Only on the lock'),
      })),
  ];
  return (
    <Part title={t('Who may come in')}>
      {people.length > 0 && (
        <ul class="visitors">
          {people.map(({ key, name, when, doubt }) => (
            <li key={key}>
              <strong>
                <bdi>{name}</bdi>
              </strong>{' '}
              <span class="about">
                {when}
                {doubt !== '' && <span class="warning">{` · ${doubt}`}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {codes === undefined
        ? isBusy && <p class="about">{t('Loading codes …')}</p>
        : people.length === 0 && <p class="about">{t('No one has a code for this lock.')}</p>}
      <Failure failure={failure} />
      {may('guests.add') && (
        <div class="pushes">
          <Button onPress={() => go({ view: 'codes', lock: lock.id })}>{t('Manage codes')}</Button>
        </div>
      )}
    </Part>
  );
}

function guestsOf({ id }: LockView, guests: readonly GuestView[]): readonly Person[] {
  return guests.flatMap(({ id: key, name, schedule, timeZone, isLeaving, onLocks }) => {
    const here = onLocks.find(({ lockId }) => lockId === id);
    if (here === undefined) {
      return [];
    }
    const isWell = here.standing.kind === 'up-to-date' && !isLeaving;
    const doubt = isWell ? '' : standingWords(here.standing, isLeaving, timeZone).words;
    return [{ key, name, when: scheduleSentence(schedule, timeZone), doubt }];
  });
}
