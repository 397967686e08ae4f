// Finishes a sign-in with the address that the browser was sent to, where the callback does not come by itself.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { after } from '../../shared/browser-clock.ts';
import { Fold } from '../../shared/fold.tsx';
import { Field } from '../parts/fields.tsx';
import { Button, Failure } from '../parts/pieces.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';

/** A callback that comes by itself has come by then, in milliseconds (our choice). */
const CALLBACK_WITHIN_MS = 30_000;

/** Offers pasting at once where nothing answers the redirect URI, later where the callback does not come, else on demand. */
export function Pasting(props: { readonly isOffered: boolean; readonly isWaiting: boolean }): VNode {
  const { isOffered, isWaiting } = props;
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    return isWaiting ? after(CALLBACK_WITHIN_MS, () => setLate(true)) : undefined;
  }, [isWaiting]);
  return isOffered || isLate ? (
    <PastedAddress />
  ) : (
    <Fold title={t('Paste the address instead')}>{() => <PastedAddress />}</Fold>
  );
}

function PastedAddress(): VNode {
  const { call, read } = usePageContext();
  const [address, setAddress] = useState('');
  const finishing = useAction();
  const finish = async (): Promise<void> => {
    const pasted = address;
    // The address holds a code: it does not stay on the page.
    setAddress('');
    await finishing.run(async () => call('link.finish', { redirectedUrl: pasted }));
    await read('link.show', 'status', 'locks', 'locks.settings');
  };
  return (
    <div class="pasted">
      <Field
        kind="address"
        label={t('Paste the address from your browser')}
        help={t('Copy the whole address bar after you’ve allowed access.')}
        value={address}
        fault={
          address === '' || URL.canParse(address.trim())
            ? null
            : t('This is not a whole address. Copy it from the browser’s address bar.')
        }
        onInput={setAddress}
      />
      {address !== '' && (
        <div class="pushes">
          <Button kind="main" isBusy={finishing.isBusy} onPress={() => void finish()}>
            {t('Continue')}
          </Button>
        </div>
      )}
      <Failure failure={finishing.failure} />
    </div>
  );
}
