// The frame inside the Homebridge UI: which account, and what only its window can do.
import type { IHomebridgePluginUi } from '@homebridge/plugin-ui-utils/ui.interface';
import type { VNode } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { AccountRow } from '../../src/ui-server/account-desk.ts';
import { AccountPages } from './account-pages.tsx';
import { type AccountFile, useDeed } from './hands.ts';
import { type HomebridgeConfig, homebridgeConfig } from './homebridge-config.ts';
import { homebridgeTransport } from './homebridge-transport.ts';
import { Failure, Push } from './pieces.tsx';

/** The account of a first visit, before config.json names one. */
const FIRST: AccountRow = { name: 'Latchkey', configured: false, problems: [] };

export function HomebridgePage({ homebridge }: { readonly homebridge: IHomebridgePluginUi }): VNode {
  const config = useMemo(() => homebridgeConfig(homebridge), [homebridge]);
  const [accounts, setAccounts] = useState<readonly AccountRow[] | null>(null);
  const [chosen, setChosen] = useState(0);
  const [isFormOpen, setFormOpen] = useState(false);
  const reading = useDeed();
  const reread = async (): Promise<void> => {
    const found = await config.accounts();
    setAccounts(found.length === 0 ? [FIRST] : found);
  };
  useEffect(() => {
    void reading.run(reread);
  }, []);
  const account = accounts?.[chosen] ?? accounts?.[0];
  const transport = useMemo(
    () => (account === undefined ? null : homebridgeTransport(homebridge, account.name)),
    [homebridge, account?.name],
  );
  if (account === undefined || transport === null) {
    return (
      <main>
        <h1>Latchkey</h1>
        <Failure failure={reading.failure} />
      </main>
    );
  }
  const file: AccountFile = { config, account, reread };
  return (
    <>
      {accounts !== null && accounts.length > 1 && (
        <AccountChoice accounts={accounts} chosen={chosen} onChoose={setChosen} />
      )}
      <AccountPages
        key={account.name}
        transport={transport}
        file={file}
        aside={<More config={config} account={account} isFormOpen={isFormOpen} onForm={setFormOpen} />}
        isCovered={isFormOpen}
      />
    </>
  );
}

function AccountChoice(props: {
  readonly accounts: readonly AccountRow[];
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Account</label>
      <select
        id={id}
        value={String(props.chosen)}
        onChange={({ currentTarget }) => {
          props.onChoose(Number(currentTarget.value));
        }}
      >
        {props.accounts.map(({ name }, index) => (
          <option key={name} value={String(index)}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The form of all options, and the way to the panel. */
function More(props: {
  readonly config: HomebridgeConfig;
  readonly account: AccountRow;
  readonly isFormOpen: boolean;
  readonly onForm: (isOpen: boolean) => void;
}): VNode {
  const { config, account, isFormOpen, onForm } = props;
  const closeForm = useRef<(() => void) | null>(null);
  const [login, setLogin] = useState<string | null>(null);
  const opening = useDeed();
  const toggle = (): void => {
    void opening.run(async () => {
      if (closeForm.current === null) {
        closeForm.current = await config.openForm(account.name);
      } else {
        closeForm.current();
        closeForm.current = null;
      }
      onForm(closeForm.current !== null);
    });
  };
  return (
    <div class="more">
      <div class="pushes">
        <Push isBusy={opening.isBusy} onPush={toggle}>
          {isFormOpen ? 'Close all settings' : 'All settings'}
        </Push>
        {account.configured && (
          <Push
            isBusy={opening.isBusy}
            onPush={() => {
              void opening.run(async () => {
                const url = await config.panelLogin(account.name);
                setLogin(url);
                window.open(url, '_blank', 'noopener,noreferrer');
              });
            }}
          >
            Open the panel
          </Push>
        )}
      </div>
      {login !== null && (
        <p class="about">
          No tab has opened?{' '}
          <a href={login} target="_blank" rel="noopener noreferrer">
            Open the panel here
          </a>
          , within five minutes and once.
        </p>
      )}
      {isFormOpen && (
        <p class="about" role="status">
          All settings are below. <em>Save</em> at the foot of this window keeps them.
        </p>
      )}
      <Failure failure={opening.failure} />
    </div>
  );
}
