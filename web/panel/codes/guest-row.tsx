// A guest's row in the table of people: the state of the code on each lock, and what a person can do.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { message } from '../../../src/domain/language/message.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { guestState, guestWhen, isUpToDate, locksWords, onLockWords } from '../../../src/words/guests.ts';
import { stayTitle } from '../../../src/words/stay-names.ts';
import { t } from '../../../src/words/translate.ts';
import { FEATURE_GUESTS } from '../features.ts';
import { Failure, Status } from '../parts/pieces.tsx';
import { RemoveSheet, Sheet } from '../parts/sheet.tsx';
import { useChange, usePageContext, useWay } from '../state/page-context.ts';
import { GuestLocksList } from './guest-locks.tsx';
import { GuestForm } from './later-forms.ts';
import { useGuestMessage } from './message-copy.tsx';
import { PersonRow } from './people-table.tsx';

type SheetName = 'change' | 'remove';

export function GuestRow({ guest }: { readonly guest: GuestView }): VNode {
  const { id, isLeaving, stay } = guest;
  const name = titleOf(guest);
  const go = useWay();
  const { call, may } = usePageContext();
  const [sheet, setSheet] = useState<SheetName | null>(null);
  const letter = useGuestMessage(name, async (language, reader) =>
    call('guests.message', { guest: id, language, reader }),
  );
  const confirming = useChange('guests.list');
  const confirm = (): void => void confirming.change('codes.confirm', { guests: [id] });
  const isPlain = guest.onLocks.every(isUpToDate);
  return (
    <PersonRow
      name={name}
      about={onLockWords(guest)}
      tag={t(isLeaving ? 'being removed' : stay === null ? 'guest' : 'stay')}
      when={guestWhen(guest)}
      locks={locksWords(guest)}
      state={guestState(guest)}
      reveal={async () => call('guests.reveal', { guest: id })}
      revision={guest.revision}
      menu={(entry) =>
        !isLeaving && (
          <>
            {guest.isProposed && entry(t('Confirm'), confirm, confirming.isBusy)}
            {letter.entries(entry)}
            {stay === null
              ? entry(t('Change'), () => setSheet('change'))
              : FEATURE_GUESTS.filter(({ way }) => may(way.needed)).map(({ way }) =>
                  entry(t(way.title), () => go({ view: way.view })),
                )}
            {entry(t('Remove'), () => setSheet('remove'))}
          </>
        )
      }
      below={
        isPlain && letter.said === null ? null : (
          <>
            <Status>{letter.said}</Status>
            {!isPlain && <GuestLocksList guest={guest} />}
          </>
        )
      }
    >
      <Failure failure={confirming.failure ?? letter.failure} />
      {letter.sheet}
      {sheet !== null && <GuestSheet {...{ guest, sheet }} onClose={() => setSheet(null)} />}
    </PersonRow>
  );
}

const titleOf = ({ name, stay }: GuestView): string =>
  stay === null ? name : stayTitle(name, stay.calendar);

function GuestSheet(props: {
  readonly guest: GuestView;
  readonly sheet: SheetName;
  readonly onClose: () => void;
}): VNode {
  const { guest, sheet, onClose } = props;
  const name = titleOf(guest);
  switch (sheet) {
    case 'change':
      return (
        <Sheet title={t('Change {name}', { name })} onClose={onClose}>
          {guest.between === undefined ? (
            <GuestForm guest={guest} onClose={onClose} />
          ) : (
            FEATURE_GUESTS.map(({ way, BetweenForm }) => (
              <BetweenForm key={way.view} guest={guest} onClose={onClose} />
            ))
          )}
        </Sheet>
      );
    case 'remove':
      return (
        <RemoveSheet
          name={name}
          question={t(guest.stay === null ? REMOVE_GUEST : REMOVE_STAY)}
          operation="guests.remove"
          input={{ guest: guest.id }}
          outdated={['guests.list']}
          onClose={onClose}
        />
      );
  }
}

const REMOVE_GUEST = message(
  'The code is removed from every lock; from one that is offline, when it is back. Remove it?',
);
const REMOVE_STAY = message(
  'This guest comes from a booking calendar: the stay is skipped, and its code is removed from every lock. Use it again on the Stays page. Remove it?',
);
