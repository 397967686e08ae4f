// What a person can do with a stay: the entries of its menu, the sheets that they open, and what came of them.
import type { ComponentChildren } from 'preact';
import type { StayView } from '../../../src/features/stays/panel/views.ts';
import { stayTitle } from '../../../src/words/stay-names.ts';
import { t } from '../../../src/words/translate.ts';
import { useGuestMessage } from '../codes/message-copy.tsx';
import { useServiceNow } from '../parts/pieces.tsx';
import type { MenuEntries } from '../parts/row-menu.tsx';
import type { Removal } from '../parts/sheet.tsx';
import { useChange, usePageContext } from '../state/page-context.ts';
import type { CallError } from '../state/transport.ts';
import { AnotherCode, ChangeHours, SkipStay } from './later-form.ts';
import { isOpen, isStaying } from './stay-row-facts.ts';

export interface StayActions {
  readonly menu: MenuEntries;
  /** The question before it is removed; null: it is not removed here. */
  readonly removal: Removal | null;
  readonly said: ComponentChildren;
  readonly failure: CallError | null;
}

export function useStayActions(stay: StayView): StayActions {
  const { id, code, guestId, isSkipped } = stay;
  const { call, state } = usePageContext();
  const now = useServiceNow(state.aheadMs);
  const message = useGuestMessage(
    stayTitle(stay.name, stay.calendarName),
    async (language, reader) => call('stays.message', { stay: id, language, reader }),
    async (language) => call('stays.language', { stay: id, language }),
  );
  const using = useChange('stays.list');
  const { checkOut, stillHere, leaving } = useCheckOut(id);
  const useAgain = (): void => void using.change('stays.skip', { stay: id, skip: false });
  const isBack = stay.checkedOutAt !== null && isStaying(stay, now);
  const sheetOf = (Form: typeof SkipStay) => (onClose: () => void) => <Form {...{ stay, onClose }} />;
  const menu: MenuEntries = !isOpen(stay)
    ? [isBack && { label: t('Let in again'), onPress: stillHere, isBusy: leaving.isBusy }]
    : isSkipped
      ? [{ label: t('Use again'), onPress: useAgain, isBusy: using.isBusy }]
      : [
          ...(code === 'hidden' ? message.entries : []),
          { label: t('Change hours'), sheet: sheetOf(ChangeHours) },
          guestId !== null && { label: t('Another code'), sheet: sheetOf(AnotherCode) },
          isStaying(stay, now) && { label: t('Checked out'), onPress: checkOut, isBusy: leaving.isBusy },
          { label: t('Skip this stay'), sheet: sheetOf(SkipStay) },
        ];
  return {
    menu,
    removal: isOpen(stay) && stay.isByHand ? removalOf(id) : null,
    said: message.said,
    failure: using.failure ?? leaving.failure ?? message.failure,
  };
}

/** The guest has left before the end, or is still there. */
export function useCheckOut(stay: string) {
  const { change, ...leaving } = useChange('stays.list', 'guests.list');
  const say = (out: boolean): void => void change('stays.checkout', { stay, out });
  return { leaving, checkOut: () => say(true), stillHere: () => say(false) };
}

function removalOf(stay: string): Removal {
  return {
    question: t('Its code is removed from every lock; from one that is offline, when it is back. Remove it?'),
    operation: 'stays.remove',
    input: { stay },
    outdated: ['stays.list', 'guests.list'],
  };
}
