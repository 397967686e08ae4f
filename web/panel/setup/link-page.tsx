// Linking: the service asks in a tab of its own, and this page waits for the callback.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { lossInHome, missingWords } from '../../../src/words/account.ts';
import { lengthWords } from '../../../src/words/times.ts';
import { t } from '../../../src/words/translate.ts';
import { after } from '../../shared/browser-clock.ts';
import { Fold } from '../../shared/fold.tsx';
import { Field } from '../parts/fields.tsx';
import { Button, Confirmed, Failure, Notice, Part, Status } from '../parts/pieces.tsx';
import { linkTo, tRich } from '../parts/rich.tsx';
import { hostOf, isPluginLost } from '../state/account-state.ts';
import { useAction, useChange, usePageContext } from '../state/page-context.ts';
import type { PageResults } from '../state/transport.ts';
import { AccountEnd } from './account-end.tsx';
import { AccountQuestion } from './account-question.tsx';
import { Beginning } from './begin-page.tsx';

/** The link as a page of its own: its state, linking again, unlinking, and the stored credentials. */
export function LinkPage(): VNode {
  const { state } = usePageContext();
  const unlinking = useChange('link.show', 'status');
  const [isEditing, setEditing] = useState(false);
  const link = state['link.show'];
  if (link === null) {
    return <p>{t('Loading …')}</p>;
  }
  const missing = state['partner.show']?.missing ?? [];
  if (missing.length > 0) {
    return (
      <>
        <Notice tone="warning">
          <p>{missingWords(missing)}</p>
        </Notice>
        <Changing />
      </>
    );
  }
  const isLinked = link.state === 'linked';
  const linking = <Linking onEditCredentials={() => setEditing(true)} />;
  return (
    <>
      {link.accountChange !== null && <AccountQuestion change={link.accountChange} />}
      <Part title={t(isLinked ? (isPluginLost(state) ? 'Was connected' : 'Connected') : 'Not connected')}>
        <p>
          {isLinked
            ? t('The connection renews automatically until you end it.')
            : link.state === 'other-process'
              ? t(
                  'Another {host, select, service {process} other {Homebridge process}} is using this account right now.',
                  { host: hostOf(state) },
                )
              : lossInHome(link.state)}
        </p>
        {isLinked ? <Fold title={t('Connect again')}>{() => linking}</Fold> : linking}
        {link.isRevivable && <FormerSignIn />}
        {isLinked && (
          <Confirmed
            action={t('Disconnect')}
            of={t('this account')}
            question={t(
              'Home will show “No Response” for all locks until you connect again. Accessories, rooms and automations stay.',
            )}
            isBusy={unlinking.isBusy}
            onConfirm={() => void unlinking.change('unlink')}
          />
        )}
        <Failure failure={unlinking.failure} />
      </Part>
      <Details isOpen={isEditing} />
      <AccountEnd />
    </>
  );
}

/** The sign-in of a link that has ended, which is kept: the service may have ended it by mistake. */
function FormerSignIn(): VNode {
  const { call, read } = usePageContext();
  const trying = useAction();
  return (
    <Fold title={t('Was it disconnected by mistake?')}>
      {() => (
        <>
          <p>{t('Your former sign-in is kept. It works again if the service takes it back.')}</p>
          <Button
            isBusy={trying.isBusy}
            onPress={() => {
              void trying.run(async () => call('try-now').finally(() => void read('link.show', 'status')));
            }}
          >
            {t('Try it once more')}
          </Button>
          <Failure failure={trying.failure} />
        </>
      )}
    </Fold>
  );
}

/** The service details; unfolded where a failure leads here. */
function Details({ isOpen }: { readonly isOpen: boolean }): VNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) {
      place.current?.querySelector<HTMLElement>('button, input')?.focus();
    }
  }, [isOpen]);
  return isOpen ? (
    <div ref={place}>
      <Changing />
    </div>
  ) : (
    <Fold title={t('Service details')}>{() => <Changing />}</Fold>
  );
}

function Changing(): VNode {
  const [isSaved, setSaved] = useState(false);
  return (
    <>
      <Beginning action={t('Save')} onSaved={() => setSaved(true)} />
      <Status>{isSaved && <p>{t('Saved. Connect again if the client has changed.')}</p>}</Status>
    </>
  );
}

/** How a linking ends when the credentials or addresses are wrong. */
const CREDENTIAL_OUTCOMES: ReadonlySet<string> = new Set([
  'misconfigured',
  'client-refused',
  'request-refused',
  'code-refused',
]);

/** Signing in at the service, and the callback. `onEditCredentials`: leads to where they are entered. */
export function Linking({ onEditCredentials }: { readonly onEditCredentials: () => void }): VNode {
  const { state, call, read } = usePageContext();
  const starting = useAction();
  const [start, setStart] = useState<PageResults['link.start'] | null>(null);
  const link = state['link.show'];
  const partner = state['partner.show'];
  const waiting = link?.waiting ?? null;
  const ended = link?.ended ?? null;
  const isWaiting = waiting !== null;
  const begin = async (): Promise<void> => {
    await starting.run(async () => {
      const begun = await call('link.start');
      setStart(begun);
      window.open(begun.authorizeUrl, '_blank', 'noopener,noreferrer');
      await read('link.show');
    });
  };
  return (
    <div class="linking">
      <p>
        {t(
          'A new tab opens where you sign in and allow Latchkey to use your locks. Use the same account as in the lock’s app.',
        )}
      </p>
      <div class="pushes">
        <Button kind={isWaiting ? 'plain' : 'main'} isBusy={starting.isBusy} onPress={() => void begin()}>
          {t(isWaiting ? 'Start over' : 'Sign in')}
        </Button>
      </div>
      <Failure failure={starting.failure} />
      <Status>
        {waiting !== null && <Waiting start={start} expiresInMs={waiting.expiresInMs} />}
        {ended !== null && ended.outcome !== 'linked' && (
          <Notice tone="warning">
            <p>{t(ended.message)}</p>
            {CREDENTIAL_OUTCOMES.has(ended.outcome) && (
              <div class="pushes">
                <Button onPress={onEditCredentials}>{t('Edit credentials')}</Button>
              </div>
            )}
          </Notice>
        )}
      </Status>
      <Pasting isOffered={isWaiting && start?.callbackMode === 'paste'} isWaiting={isWaiting} />
      {partner !== null && (
        <Fold title={t('The service rejects the redirect URI?')}>
          {() => (
            <Field
              isCopied
              label={t('Redirect URI')}
              value={partner.redirectUri}
              help={t('Register this exact address with the service. It must match character for character.')}
            />
          )}
        </Fold>
      )}
    </div>
  );
}

function Waiting(props: {
  readonly start: PageResults['link.start'] | null;
  readonly expiresInMs: number;
}): VNode {
  const { start, expiresInMs } = props;
  return (
    <Notice tone="plain">
      <p>
        <span class="wheel" aria-hidden="true" />{' '}
        {expiresInMs > 0
          ? t('Waiting for you to finish signing in ({time} left).', {
              time: lengthWords(expiresInMs) || t('a moment'),
            })
          : t('Waiting for you to finish signing in.')}
      </p>
      {start?.callbackMode === 'paste' ? (
        <p>
          {t(
            'After you’ve allowed access, your browser may end on an empty or error page. That’s fine: copy its whole address and paste it below.',
          )}
        </p>
      ) : (
        <p>{t('This page continues automatically once you’ve allowed access.')}</p>
      )}
      {start !== null && (
        <p>
          {tRich('Didn’t see a new tab? <link>Open the sign-in page</link>', {
            link: linkTo(start.authorizeUrl),
          })}
        </p>
      )}
    </Notice>
  );
}

/** A callback that comes by itself has come by then, in milliseconds (our choice). */
const CALLBACK_WITHIN_MS = 30_000;

/** Offers pasting at once where nothing answers the redirect URI, later where the callback does not come, else on demand. */
function Pasting(props: { readonly isOffered: boolean; readonly isWaiting: boolean }): VNode {
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
