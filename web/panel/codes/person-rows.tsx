// The rows of the table of people: a guest, a code on one lock alone, and one that only the lock or only the service has.
import type { VNode } from 'preact';
import { hasEnded, type StrayCode } from '../../../src/domain/codes/operation.ts';
import { message } from '../../../src/domain/language/message.ts';
import type { ListedCode, LockCodes } from '../../../src/engine/codes/access-codes.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { doingWords } from '../../../src/words/codes.ts';
import { guestState, guestWhen, isUpToDate, locksWords, onLockWords } from '../../../src/words/guests.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { scheduleSentence } from '../../../src/words/schedules.ts';
import { stayTitle } from '../../../src/words/stay-names.ts';
import { t } from '../../../src/words/translate.ts';
import { FEATURE_GUESTS } from '../features.ts';
import { PersonRow } from '../parts/people-table.tsx';
import { Status } from '../parts/pieces.tsx';
import type { MenuEntries } from '../parts/row-menu.tsx';
import type { Removal } from '../parts/sheet.tsx';
import { useChange, usePageContext, useWay } from '../state/page-context.ts';
import { GuestLocksList } from './guest-locks.tsx';
import { CodeForm } from './later-forms.ts';
import type { ReadCodes } from './lock-codes.ts';
import { useGuestMessage } from './message-copy.tsx';

export function GuestRow({ guest }: { readonly guest: GuestView }): VNode {
  const { id, isLeaving, isProposed, stay } = guest;
  const name = stay === null ? guest.name : stayTitle(guest.name, stay.calendar);
  const go = useWay();
  const { call, may } = usePageContext();
  const letter = useGuestMessage(name, async (language, reader) =>
    call('guests.message', { guest: id, language, reader }),
  );
  const { change, isBusy, failure } = useChange('guests.list');
  const confirm = (): void => void change('codes.confirm', { guests: [id] });
  const ways = FEATURE_GUESTS.filter(({ way }) => stay !== null && may(way.needed));
  const menu: MenuEntries = [
    isProposed && { label: t('Confirm'), isBusy, onPress: confirm },
    ...letter.entries,
    ...ways.map(({ way: { title, view } }) => ({ label: t(title), onPress: () => go({ view }) })),
  ];
  const Form = formOf(guest);
  const form = stay !== null ? null : (onClose: () => void) => <Form {...{ guest, onClose }} />;
  const removal: Removal = {
    question: t(stay === null ? REMOVE_GUEST : REMOVE_STAY),
    operation: 'guests.remove',
    input: { guest: id },
    outdated: ['guests.list'],
  };
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
      {...(isLeaving ? {} : { menu, form, removal })}
      failure={failure ?? letter.failure}
      below={
        isPlain && letter.said === null ? null : (
          <>
            <Status>{letter.said}</Status>
            {!isPlain && <GuestLocksList guest={guest} />}
          </>
        )
      }
    />
  );
}

/** Those who come in between bookings have the form of the feature. */
function formOf({ between }: GuestView) {
  const [feature] = between === undefined ? [] : FEATURE_GUESTS;
  return feature?.BetweenForm ?? CodeForm;
}

const REMOVE_GUEST = message(
  'The code is removed from every lock; from one that is offline, when it is back. Remove it?',
);
const REMOVE_STAY = message(
  'This guest comes from a booking calendar: the stay is skipped, and its code is removed from every lock. Use it again on the Stays page. Remove it?',
);

export function CodeRow(props: {
  readonly lock: LockView;
  readonly listed: LockCodes;
  readonly code: ListedCode;
  readonly onTried: ReadCodes['readAll'];
}): VNode {
  const { lock, listed, code, onTried } = props;
  const { id, readOnly, revision } = code;
  const { state, call } = usePageContext();
  const underWay = (state['codes.operations'] ?? []).find(
    (one) => one.lockId === lock.id && one.codeId === id && !hasEnded(one),
  );
  return (
    <PersonRow
      name={code.name}
      tag={readOnly ? t('read-only') : null}
      when={scheduleSentence(code.schedule, listed.timeZone)}
      locks={nameOf(lock)}
      state={{ tone: 'plain', words: underWay === undefined ? t('On the lock') : doingWords(underWay) }}
      reveal={async () => call('codes.reveal', { lock: lock.id, code: id })}
      revision={revision}
      form={readOnly ? null : (onClose) => <CodeForm lock={lock.id} {...{ code, onTried, onClose }} />}
      removal={readOnly ? null : codeRemoval(lock, { code: id, revision })}
    />
  );
}

/** A code that only the lock or only the service has. */
export function StrayRow({ lock, stray }: { readonly lock: LockView; readonly stray: StrayCode }): VNode {
  const { codeId, only } = stray;
  return (
    <PersonRow
      name={stray.name ?? codeId}
      when={t('Not known')}
      locks={nameOf(lock)}
      state={{ tone: 'warning', words: t(only === 'lock' ? 'Only on the lock' : 'Not on the lock') }}
      reveal={null}
      revision={0}
      removal={codeRemoval(lock, { code: codeId })}
      below={t(
        only === 'lock'
          ? 'The lock may still open with this code, although the service does not list it. Remove it to be sure.'
          : 'The service lists this code, but the lock does not open with it. Remove it, then add it again.',
      )}
    />
  );
}

/** `code`: without a revision where the service does not list it. */
function codeRemoval(lock: LockView, code: { readonly code: string; readonly revision?: number }): Removal {
  return {
    question: t('The code will no longer open {lock}. Remove it?', { lock: nameOf(lock) }),
    operation: 'codes.remove',
    input: { lock: lock.id, ...code },
    outdated: ['codes.operations'],
  };
}
