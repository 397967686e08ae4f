// The sheet of a calendar's feed: a secret address at which others read its stays, made, copied once, and withdrawn.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Message, message } from '../../../src/domain/language/message.ts';
import type { CalendarView } from '../../../src/features/stays/panel/views.ts';
import { t } from '../../../src/words/translate.ts';
import { Choice } from '../../shared/labelled.tsx';
import { TextArea } from '../codes/message-sheet.tsx';
import { copyAsked } from '../parts/clipboard.ts';
import { Button, Failure, Status } from '../parts/pieces.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';

interface FeedSheetProps {
  readonly calendar: CalendarView;
  readonly onClose: () => void;
}

function useFeed({ id }: CalendarView) {
  const { call, read } = usePageContext();
  const asking = useAction();
  const copying = useAction();
  const [addresses, setAddresses] = useState<readonly string[]>([]);
  const [said, setSaid] = useState<Message | null>(null);
  const make = async (): Promise<void> => {
    setSaid(null);
    await asking.run(async () => {
      const made = await call('stays.make-feed', { calendar: id });
      setAddresses(made.addresses);
      await read('stays.list');
    });
  };
  const withdraw = async (): Promise<void> => {
    setSaid(null);
    await asking.run(async () => {
      await call('stays.withdraw-feed', { calendar: id });
      setAddresses([]);
      setSaid(WITHDRAWN);
      await read('stays.list');
    });
  };
  const copy = async (address: string): Promise<void> => {
    await copying.run(async () => {
      const isDone = await copyAsked(async () => address, document.activeElement);
      setSaid(isDone ? COPIED : BY_HAND);
    });
  };
  return { addresses, said, make, withdraw, copy, asking, copying };
}

export function FeedSheet({ calendar, onClose }: FeedSheetProps): VNode {
  const { name, hasFeed } = calendar;
  const { addresses, said, make, withdraw, copy, asking, copying } = useFeed(calendar);
  const [at, setAt] = useState(0);
  const address = addresses[at] ?? addresses[0];
  return (
    <Sheet title={t('Share the stays of {name}', { name })} onClose={onClose}>
      <div class="code-form">
        <p>{t(ABOUT)}</p>
        {address !== undefined && (
          <>
            {addresses.length > 1 && (
              <Choice
                label={t('Reached at')}
                names={addresses.map((one) => new URL(one).host)}
                chosen={at}
                onChoose={setAt}
              />
            )}
            <TextArea label={t('Address')} help={t(ONCE)} value={address} rows={3} />
          </>
        )}
        {address === undefined && hasFeed && <p>{t(MADE_BEFORE)}</p>}
        <Status>{said === null ? '' : t(said)}</Status>
        <Failure failure={asking.failure ?? copying.failure} />
        <div class="pushes">
          {address === undefined ? (
            <Button kind={hasFeed ? 'plain' : 'main'} isBusy={asking.isBusy} onPress={() => void make()}>
              {hasFeed ? t('Make another address') : t('Make an address')}
            </Button>
          ) : (
            <Button kind="main" isBusy={copying.isBusy} onPress={() => void copy(address)}>
              {t('Copy')}
            </Button>
          )}
          {hasFeed && (
            <Button isBusy={asking.isBusy} onPress={() => void withdraw()}>
              {t('Withdraw')}
            </Button>
          )}
        </div>
      </div>
    </Sheet>
  );
}

const ABOUT = message(
  'A secret address for the calendar of a cleaner or for Home Assistant. It has names and hours, but no codes and no phone numbers. Anyone who has it can read it.',
);
const ONCE = message('It is shown only now. Copy it before you close this.');
const MADE_BEFORE = message('There is an address. It cannot be shown again; another one ends it.');
const WITHDRAWN = message('Withdrawn. The address no longer answers.');
const COPIED = message('Address copied.');
const BY_HAND = message('The browser does not allow copying. Copy the address by hand.');
