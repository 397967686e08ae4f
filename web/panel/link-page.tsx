// Linking: the service asks in a tab of its own, and this page waits for the way back.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Fold } from '../shared/fold.tsx';
import { AccountQuestion } from './account-question.tsx';
import { Beginning } from './begin-page.tsx';
import { Copyable, Field } from './fields.tsx';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Confirmed, Failure, Notice, Part, Status } from './pieces.tsx';
import type { PageResults } from './transport.ts';
import { LINK_LOSS, lengthWords, missingWords } from './words.ts';

/** The link as a page of its own: how it stands, link again, unlink, and what is kept of the credentials. */
export function LinkPage(): VNode {
  const { state, call, read } = usePageContext();
  const unlinking = useAction();
  const link = state['link.show'];
  if (link === null) {
    return <p>Reading how the link stands …</p>;
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
  return (
    <>
      {link.accountChange !== null && <AccountQuestion change={link.accountChange} />}
      <Part title={isLinked ? 'Linked' : 'Not linked'}>
        <p>
          {isLinked
            ? 'The service accepts this link. It is renewed by itself, and lasts until you end it.'
            : link.state === 'other-process'
              ? 'Another process of this plugin speaks for the account at the moment.'
              : LINK_LOSS[link.state]}
        </p>
        {isLinked ? <Fold title="Link again">{() => <Linking />}</Fold> : <Linking />}
        {isLinked && (
          <Confirmed
            action="Unlink"
            of="this account"
            question="Home will show “No Response” for all locks until you link again. Accessories, rooms and automations stay."
            isBusy={unlinking.isBusy}
            onConfirm={() => {
              void unlinking.run(async () => {
                await call('unlink');
                await read('link.show', 'status');
              });
            }}
          />
        )}
        <Failure failure={unlinking.failure} />
      </Part>
      <Fold title="Addresses and credentials">{() => <Changing />}</Fold>
    </>
  );
}

function Changing(): VNode {
  const [isSaved, setSaved] = useState(false);
  return (
    <>
      <Beginning
        action="Save"
        onSaved={() => {
          setSaved(true);
        }}
      />
      <Status>{isSaved && <p>Saved. Link again if the client has changed.</p>}</Status>
    </>
  );
}

/** The way to the service and back, wherever it is offered. */
export function Linking(): VNode {
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
        The service asks you, in a tab of its own, to sign in and to allow this plugin the use of your locks.
        Sign in with the account of the lock’s app.
      </p>
      <div class="pushes">
        <Button kind={isWaiting ? 'plain' : 'main'} isBusy={starting.isBusy} onPress={() => void begin()}>
          {isWaiting ? 'Begin anew' : 'Go to the service'}
        </Button>
      </div>
      <Failure failure={starting.failure} />
      <Status>
        {waiting !== null && <Waiting start={start} expiresInMs={waiting.expiresInMs} />}
        {ended !== null && ended.outcome !== 'linked' && (
          <Notice tone="warning">
            <p>{ended.message}</p>
          </Notice>
        )}
      </Status>
      <PastedAddress />
      {partner !== null && (
        <Fold title="The service complains of the redirect URI">
          {() => (
            <Copyable
              label="Redirect URI"
              text={partner.redirectUri}
              help="It has to be registered with the service exactly so, letter by letter."
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
        <span class="wheel" aria-hidden="true" /> Waiting for you to come back
        {expiresInMs > 0 && `, for ${lengthWords(expiresInMs) || 'a moment'} at most`}.
      </p>
      {start?.callbackMode === 'paste' ? (
        <p>
          When you have allowed access, your browser goes to an address that may show nothing. That is fine:
          copy the whole address and paste it below.
        </p>
      ) : (
        <p>When you have allowed access, this page goes on by itself.</p>
      )}
      {start !== null && (
        <p>
          No tab has opened?{' '}
          <a href={start.authorizeUrl} target="_blank" rel="noopener noreferrer">
            Open the service’s page
          </a>
        </p>
      )}
    </Notice>
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
        label="Or paste the address that you were sent to"
        help="The whole of it, from https:// or http:// to its last letter. This works by phone and in Docker, too."
        value={address}
        fault={
          address === '' || URL.canParse(address.trim())
            ? null
            : 'This is not a whole address. Copy it from the browser’s address bar.'
        }
        showsFault={false}
        onInput={setAddress}
      />
      {address !== '' && (
        <div class="pushes">
          <Button kind="main" isBusy={finishing.isBusy} onPress={() => void finish()}>
            Finish linking
          </Button>
        </div>
      )}
      <Failure failure={finishing.failure} />
    </div>
  );
}
