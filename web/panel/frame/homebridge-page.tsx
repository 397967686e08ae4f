// The frame inside the Homebridge UI: which account, and what only its window can do.
import type { IHomebridgePluginUi } from '@homebridge/plugin-ui-utils/ui.interface';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AccountRow } from '../../../src/ui-server/account-service.ts';
import { t } from '../../../src/words/translate.ts';
import { Choice } from '../../shared/labelled.tsx';
import { Button, Failure, PRODUCT } from '../parts/pieces.tsx';
import { linkTo, tRich } from '../parts/rich.tsx';
import { type HomebridgeConfig, homebridgeConfig } from '../state/homebridge-config.ts';
import { homebridgeTransport } from '../state/homebridge-transport.ts';
import { type AccountFile, useAction } from '../state/page-context.ts';
import { AccountPages } from './account-pages.tsx';

/** The account of a first visit, before config.json names one. */
const FIRST: AccountRow = {
  name: PRODUCT,
  configured: false,
  demo: false,
  problems: [],
  hasDashboard: false,
  pairing: 'unknown',
  windowPid: 0,
};

export function HomebridgePage({ homebridge }: { readonly homebridge: IHomebridgePluginUi }): VNode {
  const config = useMemo(() => homebridgeConfig(homebridge), [homebridge]);
  const [accounts, setAccounts] = useState<readonly AccountRow[] | null>(null);
  const [chosen, setChosen] = useState(0);
  const [isFormOpen, setFormOpen] = useState(false);
  const reading = useAction();
  const reread = async (): Promise<void> => {
    const found = await config.accounts();
    setAccounts(found.length === 0 ? [FIRST] : found);
  };
  useEffect(() => void reading.run(reread), []);
  const account = accounts?.[chosen] ?? accounts?.[0];
  const transport = useMemo(
    () => (account === undefined ? null : homebridgeTransport(homebridge, account.name)),
    [homebridge, account?.name],
  );
  if (account === undefined || transport === null) {
    return (
      <main>
        <h1>{PRODUCT}</h1>
        <Failure failure={reading.failure} />
      </main>
    );
  }
  const file: AccountFile = { config, account, reread };
  return (
    <>
      {accounts !== null && accounts.length > 1 && (
        <Choice
          label={t('Account')}
          names={accounts.map(({ name }) => name)}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
      <AccountPages
        key={account.name}
        transport={transport}
        file={file}
        aside={<More file={file} isFormOpen={isFormOpen} onForm={setFormOpen} />}
        isCovered={isFormOpen}
      />
    </>
  );
}

/** The form of all options, and the dashboard. */
function More(props: {
  readonly file: AccountFile;
  readonly isFormOpen: boolean;
  readonly onForm: (isOpen: boolean) => void;
}): VNode {
  const { file, isFormOpen, onForm } = props;
  const { config, account } = file;
  const opening = useAction();
  const toggle = useForm(config, account, onForm);
  return (
    <div class="more">
      <div class="pushes">
        <Button isBusy={opening.isBusy} onPress={() => void opening.run(toggle)}>
          {t(isFormOpen ? 'Close all settings' : 'All settings')}
        </Button>
        {/* One thing at a time changes config.json. */}
        {account.configured && !isFormOpen && <Dashboard file={file} />}
      </div>
      {isFormOpen && (
        <p class="about" role="status">
          {tRich('All settings are below. <em>Save</em> at the foot of this window keeps them.')}
        </p>
      )}
      <Failure failure={opening.failure} />
    </div>
  );
}

/** Opens the dashboard where there is one, else turns it on. */
function Dashboard({ file: { config, account, reread } }: { readonly file: AccountFile }): VNode {
  const [login, setLogin] = useState<string | null>(null);
  const [wasTurnedOn, setTurnedOn] = useState(false);
  const working = useAction();
  const open = async (): Promise<void> => {
    const url = await config.panelLogin(account.name);
    setLogin(url);
    if (isWithinReach(url)) {
      window.open(url, '_blank', 'noopener,noreferrer');
    }
  };
  const turnOn = async (): Promise<void> => {
    await config.turnOnDashboard(account.name);
    setTurnedOn(true);
    await reread();
  };
  const isOffered = account.hasDashboard && !wasTurnedOn;
  return (
    <>
      {!wasTurnedOn && (
        <Button isBusy={working.isBusy} onPress={() => void working.run(isOffered ? open : turnOn)}>
          {t(isOffered ? 'Open the dashboard' : 'Turn on the dashboard')}
        </Button>
      )}
      {wasTurnedOn && (
        <p class="about" role="status">
          {t('The dashboard is on after the next restart of Homebridge.')}
        </p>
      )}
      {login !== null && <PanelAddress url={login} />}
      <Failure failure={working.failure} />
    </>
  );
}

/** Opens the form, or closes it. It is also closed when another account is chosen, and when the page ends. */
function useForm(
  config: HomebridgeConfig,
  account: AccountRow,
  onForm: (isOpen: boolean) => void,
): () => Promise<void> {
  const close = useRef<(() => void) | null>(null);
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
      close.current?.();
      onForm(false);
    },
    [],
  );
  return async () => {
    if (close.current !== null) {
      close.current();
      close.current = null;
      onForm(false);
      return;
    }
    const opened = await config.openForm(account.name);
    if (isGone.current) {
      opened();
      return;
    }
    close.current = opened;
    onForm(true);
  };
}

function PanelAddress({ url }: { readonly url: string }): VNode {
  if (!isWithinReach(url)) {
    return (
      <p class="about" role="status">
        {t(
          'The dashboard only accepts connections from the Homebridge computer. Change the “{option}” of the dashboard under “{settings}” to reach it from here.',
          { option: t('Bind address'), settings: t('All settings') },
        )}
      </p>
    );
  }
  return (
    <p class="about">
      {tRich(
        url.includes('#login=')
          ? 'Didn’t see a new tab? <link>Open the dashboard</link>, within five minutes and once.'
          : 'Didn’t see a new tab? <link>Open the dashboard</link>.',
        { link: linkTo(url) },
      )}
    </p>
  );
}

/** An address of the plugin's own machine leads a browser elsewhere to the wrong one. */
function isWithinReach(url: string): boolean {
  return isLoopback(location.hostname) || !isLoopback(new URL(url).hostname);
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127\..+|\[::1\])$/.test(host);
}
