// What a person can do with a stay: the entries of its menu, the sheets that they open, and what came of them.
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { StayView } from '../../../src/features/stays/panel/views.ts';
import { stayTitle } from '../../../src/words/stay-names.ts';
import { t } from '../../../src/words/translate.ts';
import { useGuestMessage } from '../codes/message-copy.tsx';
import { useServiceNow } from '../parts/pieces.tsx';
import type { MenuEntry } from '../parts/row-menu.tsx';
import { RemoveSheet } from '../parts/sheet.tsx';
import { useChange, usePageContext } from '../state/page-context.ts';
import type { CallError } from '../state/transport.ts';
import { AnotherCode, ChangeHours, SkipStay } from './later-form.ts';
import { isOpen, isStaying } from './stay-row-facts.ts';

type SheetName = 'remove' | 'skip' | 'hours' | 'code';

export interface StayActions {
  readonly menu: (entry: MenuEntry) => ComponentChildren;
  /** The open sheet, or nothing. */
  readonly sheet: VNode;
  readonly said: ComponentChildren;
  readonly failure: CallError | null;
}

export function useStayActions(stay: StayView): StayActions {
  const { id, code, guestId, isSkipped } = stay;
  const { call, state } = usePageContext();
  const now = useServiceNow(state.aheadMs);
  const [sheet, setSheet] = useState<SheetName | null>(null);
  const message = useGuestMessage(
    stayTitle(stay.name, stay.calendarName),
    async (language, reader) => call('stays.message', { stay: id, language, reader }),
    async (language) => call('stays.language', { stay: id, language }),
  );
  const using = useChange('stays.list');
  const { checkOut, stillHere, leaving } = useCheckOut(id);
  const useAgain = (): void => void using.change('stays.skip', { stay: id, skip: false });
  const menu = (entry: MenuEntry): ComponentChildren => {
    if (!isOpen(stay)) {
      const isBack = stay.checkedOutAt !== null && isStaying(stay, now);
      return isBack ? entry(t('Let in again'), stillHere, leaving.isBusy) : null;
    }
    return isSkipped ? (
      <>
        {entry(t('Use again'), useAgain, using.isBusy)}
        {stay.isByHand && entry(t('Remove'), () => setSheet('remove'))}
      </>
    ) : (
      <>
        {code === 'hidden' && message.entries(entry)}
        {entry(t('Change hours'), () => setSheet('hours'))}
        {guestId !== null && entry(t('Another code'), () => setSheet('code'))}
        {isStaying(stay, now) && entry(t('Checked out'), checkOut, leaving.isBusy)}
        {entry(t('Skip this stay'), () => setSheet('skip'))}
        {stay.isByHand && entry(t('Remove'), () => setSheet('remove'))}
      </>
    );
  };
  return {
    menu,
    sheet: (
      <>
        {message.sheet}
        {sheet !== null && <StaySheet {...{ stay, sheet }} onClose={() => setSheet(null)} />}
      </>
    ),
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

function StaySheet(props: {
  readonly stay: StayView;
  readonly sheet: SheetName;
  readonly onClose: () => void;
}): VNode {
  const { stay, sheet, onClose } = props;
  switch (sheet) {
    case 'remove':
      return (
        <RemoveSheet
          name={stayTitle(stay.name, stay.calendarName)}
          question={t(
            'Its code is removed from every lock; from one that is offline, when it is back. Remove it?',
          )}
          operation="stays.remove"
          input={{ stay: stay.id }}
          outdated={['stays.list', 'guests.list']}
          onClose={onClose}
        />
      );
    case 'skip':
      return <SkipStay stay={stay} onClose={onClose} />;
    case 'hours':
      return <ChangeHours stay={stay} onClose={onClose} />;
    case 'code':
      return <AnotherCode stay={stay} onClose={onClose} />;
  }
}
