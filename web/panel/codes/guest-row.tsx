// A guest's row in the table of people: the state of the code on each lock, and what a person can do.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { message } from '../../../src/domain/language/message.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { guestState, isUpToDate, locksWords } from '../../../src/words/guests.ts';
import { scheduleSentence } from '../../../src/words/schedules.ts';
import { t } from '../../../src/words/translate.ts';
import { Failure } from '../parts/pieces.tsx';
import { RemoveSheet, Sheet } from '../parts/sheet.tsx';
import { useAction, usePageContext, useWay } from '../state/page-context.ts';
import { GuestForm } from './guest-form.tsx';
import { GuestLocksList } from './guest-locks.tsx';
import { PersonRow } from './people-table.tsx';

export function GuestRow({ guest }: { readonly guest: GuestView }): VNode {
  const { id, name, schedule, timeZone, isLeaving, stay } = guest;
  const go = useWay();
  const { call, read } = usePageContext();
  const [sheet, setSheet] = useState<'change' | 'remove' | null>(null);
  const close = (): void => setSheet(null);
  const confirming = useAction();
  const confirm = async (): Promise<unknown> =>
    confirming.run(async () => {
      await call('codes.confirm', { guests: [id] });
      await read('guests.list');
    });
  return (
    <PersonRow
      name={name}
      tag={t(isLeaving ? 'being removed' : stay === null ? 'guest' : 'stay')}
      when={scheduleSentence(schedule, timeZone)}
      locks={locksWords(guest)}
      state={guestState(guest)}
      reveal={async () => (await call('guests.reveal', { guest: id })).pin}
      revision={guest.revision}
      menu={(entry) =>
        !isLeaving && (
          <>
            {guest.isProposed && entry(t('Confirm'), () => void confirm(), confirming.isBusy)}
            {stay === null
              ? entry(t('Change'), () => setSheet('change'))
              : entry(t('Go to Stays'), () => go({ view: 'stays' }))}
            {entry(t('Remove'), () => setSheet('remove'))}
          </>
        )
      }
      below={guest.onLocks.every(isUpToDate) ? null : <GuestLocksList guest={guest} />}
    >
      <Failure failure={confirming.failure} />
      {sheet === 'change' && (
        <Sheet title={t('Change {name}', { name })} onClose={close}>
          <GuestForm guest={guest} onClose={close} />
        </Sheet>
      )}
      {sheet === 'remove' && (
        <RemoveSheet
          name={name}
          question={t(stay === null ? REMOVE_GUEST : REMOVE_STAY)}
          remove={async () => {
            await call('guests.remove', { guest: id });
            await read('guests.list');
          }}
          onClose={close}
        />
      )}
    </PersonRow>
  );
}

const REMOVE_GUEST = message(
  'The code is removed from every lock; from one that is offline, when it is back. Remove it?',
);
const REMOVE_STAY = message(
  'This guest comes from a booking calendar: the stay is skipped, and its code is removed from every lock. Use it again on the Stays page. Remove it?',
);
