// Who may come in at one lock: its guests, and the codes that are on it alone.
import type { VNode } from 'preact';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { standingWords } from '../../../src/words/guests.ts';
import { scheduleSentence } from '../../../src/words/schedules.ts';
import { t } from '../../../src/words/translate.ts';
import { useLockCodes } from '../codes/lock-codes.ts';
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
  const { may } = usePageContext();
  const { listed, failures, isBusy } = useLockCodes([lock.id]);
  const guests = useGuestsOf(lock);
  const codes = listed.get(lock.id);
  const ofGuests = new Set(guests.map(({ codeId }) => codeId));
  const people: readonly Person[] = [
    ...guests.map(({ person }) => person),
    ...(codes?.codes ?? [])
      .filter(({ id }) => !ofGuests.has(id))
      .map(({ id, name, schedule }) => ({
        key: id,
        name,
        when: scheduleSentence(schedule, codes?.timeZone ?? 'UTC'),
        doubt: '',
      })),
    ...(codes?.strays ?? [])
      .filter(({ only }) => only === 'lock')
      .map(({ codeId, name }) => ({
        key: `stray ${codeId}`,
        name: name ?? codeId,
        when: t('Not known'),
        doubt: t('Only on the lock'),
      })),
  ];
  const failure = failures.get(lock.id) ?? null;
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

function useGuestsOf({
  id,
}: LockView): readonly { readonly codeId: string | null; readonly person: Person }[] {
  const { state } = usePageContext();
  return (state['guests.list'] ?? []).flatMap(
    ({ id: guest, name, schedule, timeZone, isLeaving, onLocks }) => {
      const here = onLocks.find(({ lockId }) => lockId === id);
      if (here === undefined) {
        return [];
      }
      const isWell = here.standing.kind === 'up-to-date' && !isLeaving;
      const doubt = isWell ? '' : standingWords(here.standing, isLeaving, timeZone).words;
      return [
        {
          codeId: here.codeId,
          person: { key: guest, name, when: scheduleSentence(schedule, timeZone), doubt },
        },
      ];
    },
  );
}
