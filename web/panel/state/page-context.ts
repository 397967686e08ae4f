// What every part of the page may do: call an operation, read anew, and know where it stands.
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { AccountRow } from '../../../src/ui-server/account-service.ts';
import { type AccountState, NOTHING_KNOWN, type Reading } from './account-state.ts';
import type { HomebridgeConfig } from './homebridge-config.ts';
import { type Call, type CallError, senseless, shownError, type Transport } from './transport.ts';

/** The account's part of config.json, where it can be changed. */
export interface AccountFile {
  readonly config: HomebridgeConfig;
  readonly account: AccountRow;
  /** Reads config.json again after it was changed. */
  readonly reread: () => Promise<void>;
}

export interface PageContext {
  readonly place: Transport['place'];
  /** Null on the panel. */
  readonly file: AccountFile | null;
  readonly state: AccountState;
  readonly call: Call;
  readonly logout: Transport['logout'];
  readonly read: (...readings: readonly Reading[]) => Promise<void>;
}

const PageContextValue = createContext<PageContext>({
  place: 'panel',
  file: null,
  state: NOTHING_KNOWN,
  call: async () => {
    throw senseless();
  },
  logout: null,
  read: async () => undefined,
});

export const PageContextProvider = PageContextValue.Provider;

export function usePageContext(): PageContext {
  return useContext(PageContextValue);
}

/** Leads to the page of stays. */
const StaysWay = createContext<() => void>(() => undefined);

export const StaysWayProvider = StaysWay.Provider;

export function useStaysWay(): () => void {
  return useContext(StaysWay);
}

/** One thing that a person set going: whether it runs, and why it failed. */
export interface PageAction {
  readonly isBusy: boolean;
  readonly failure: CallError | null;
  /** Does it unless it is under way; resolves with whether it succeeded. Never rejects. */
  readonly run: (deed: () => Promise<unknown>) => Promise<boolean>;
}

export function useAction(): PageAction {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly failure: CallError | null }>({
    isBusy: false,
    failure: null,
  });
  return {
    ...state,
    run: async (deed) => {
      if (state.isBusy) {
        return false;
      }
      setState({ isBusy: true, failure: null });
      try {
        await deed();
        setState({ isBusy: false, failure: null });
        return true;
      } catch (thrown) {
        setState({ isBusy: false, failure: shownError(thrown) });
        return false;
      }
    },
  };
}
