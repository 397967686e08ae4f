// Phone credentials of the credentialing interface: what there is, who has one, and how to issue, delete and import them.

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CredentialListView, CredentialsView } from '../../../src/features/credentials/panel/views.ts';
import { t } from '../../../src/words/translate.ts';
import { LoginForm } from '../parts/login-form.tsx';
import { OptionName, OptionPlace } from '../parts/option-place.tsx';
import { Button, Failure, Notice, Part, Waiting } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import { CredentialForm } from './credential-form.tsx';
import { CredentialImport } from './credential-import.tsx';
import { CredentialList } from './credential-list.tsx';

/** The state of the page, and functions to read it anew. */
function useCredentials() {
  const { call, state } = usePageContext();
  const [view, setView] = useState<CredentialsView | null>(null);
  const [list, setList] = useState<CredentialListView | null>(null);
  const opening = useAction();
  const reading = useAction();
  const isConfigured = (state['partner.show']?.credentialsUrl ?? null) !== null;
  const readList = async (): Promise<void> => {
    await reading.run(async () => setList(await call('credentials.list')));
  };
  const open = async (): Promise<void> => {
    await opening.run(async () => {
      const shown = await call('credentials.show');
      setView(shown);
      if (shown.loginFrom !== null) {
        await readList();
      }
    });
  };
  useEffect(() => {
    if (isConfigured) {
      void open();
    }
  }, [isConfigured]);
  return { isConfigured, view, setView, list, readList, opening, reading };
}

type Credentials = ReturnType<typeof useCredentials>;

export function CredentialsPage(): VNode {
  const { state } = usePageContext();
  const credentials = useCredentials();
  const { isConfigured, view, setView, readList, opening } = credentials;
  if (!isConfigured) {
    return (
      <Notice tone="plain">
        <p>
          {tRich(
            'There is no credentialing interface yet. If your partner agreement includes one, enter its address as {option} {place}, then restart {host, select, service {the service} other {Homebridge}}.',
            {
              option: <OptionName option="partner.credentialsUrl" label={t('Credentialing interface')} />,
              place: <OptionPlace />,
              host: state.status?.host ?? '',
            },
          )}
        </p>
      </Notice>
    );
  }
  if (view === null) {
    return <Waiting failure={opening.failure} />;
  }
  if (view.loginFrom === null) {
    return (
      <CredentialsLogin
        onLogin={(shown) => {
          setView(shown);
          void readList();
        }}
      />
    );
  }
  return (
    <>
      <Issued credentials={credentials} />
      <CredentialForm onIssued={() => void readList()} />
      <CredentialImport view={view.import} onView={setView} onFinished={() => void readList()} />
    </>
  );
}

function Issued({ credentials }: { readonly credentials: Credentials }): VNode {
  const { list, readList, reading } = credentials;
  return (
    <>
      {list === null ? (
        <p>{t(reading.isBusy ? 'Loading credentials …' : 'The credentials have not been read yet.')}</p>
      ) : (
        <CredentialList list={list} onChange={() => void readList()} />
      )}
      <Failure failure={reading.failure} />
      <div class="pushes">
        <Button isBusy={reading.isBusy} onPress={() => void readList()}>
          {t('Refresh')}
        </Button>
      </div>
    </>
  );
}

function CredentialsLogin(props: { readonly onLogin: (view: CredentialsView) => void }): VNode {
  const { onLogin } = props;
  const { call } = usePageContext();
  const entering = useAction();
  return (
    <Part title={t('Log in to the interface')}>
      <LoginForm
        username=""
        help={t('Your partner agreement names it. It is not the account of the lock’s app.')}
        action={t('Log in')}
        isBusy={entering.isBusy}
        onSave={async (login) => entering.run(async () => onLogin(await call('credentials.login', login)))}
      />
      <Failure failure={entering.failure} />
    </Part>
  );
}
