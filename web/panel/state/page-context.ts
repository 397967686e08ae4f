// What every part of the page may do: call an operation, read anew, and know where it stands.
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { PageOperation } from '../../../src/panel/operations/panel-api.ts';
import type { AccountRow } from '../../../src/ui-server/account-service.ts';
import { after } from '../../shared/browser-clock.ts';
import { type AccountState, NOTHING_KNOWN, type Reading } from './account-state.ts';
import type { HomebridgeConfig } from './homebridge-config.ts';
import { type Call, type CallError, senseless, shownError, type Transport } from './transport.ts';
import type { Place } from './views.ts';

/** The account's part of config.json, where it can be changed. */
export interface AccountFile {
  readonly config: HomebridgeConfig;
  readonly account: AccountRow;
  /** Reads config.json again after it was changed. */
  readonly reread: () => Promise<void>;
}

export interface PageContext {
  readonly place: Transport['place'];
  /** Null on the dashboard. */
  readonly file: AccountFile | null;
  readonly state: AccountState;
  readonly call: Call;
  readonly logout: Transport['logout'];
  readonly may: Transport['may'];
  readonly login: Transport['login'];
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
  may: () => true,
  login: () => null,
  read: async () => undefined,
});

export const PageContextProvider = PageContextValue.Provider;

export function usePageContext(): PageContext {
  return useContext(PageContextValue);
}

/** Leads to another page. */
const Way = createContext<(place: Place) => void>(() => undefined);

export const WayProvider = Way.Provider;

export function useWay(): (place: Place) => void {
  return useContext(Way);
}

/** An action without an answer for this long is said to have none, in milliseconds (faults, row 160). */
const ANSWER_WITHIN_MS = 5_000;

/** One thing that a person set going: whether it runs, and why it failed. */
export interface PageAction {
  readonly isBusy: boolean;
  /** It runs, and nothing has answered for so long that it may never have left the browser. */
  readonly isUnanswered: boolean;
  readonly failure: CallError | null;
  /** Does it unless it is under way; resolves with whether it succeeded. Never rejects. */
  readonly run: (deed: () => Promise<unknown>) => Promise<boolean>;
}

const AT_REST = { isBusy: false, isUnanswered: false, failure: null };

export function useAction(): PageAction {
  const [state, setState] = useState<Omit<PageAction, 'run'>>(AT_REST);
  return {
    ...state,
    run: async (deed) => {
      if (state.isBusy) {
        return false;
      }
      setState({ ...AT_REST, isBusy: true });
      const callOff = after(ANSWER_WITHIN_MS, () => {
        setState({ ...AT_REST, isBusy: true, isUnanswered: true });
      });
      try {
        await deed();
        setState(AT_REST);
        return true;
      } catch (thrown) {
        setState({ ...AT_REST, failure: shownError(thrown) });
        return false;
      } finally {
        callOff();
      }
    },
  };
}

/** An operation that changes something, after which these answers are read anew. */
export function useChange(...outdated: readonly Reading[]) {
  const { call, read } = usePageContext();
  const { run, ...standing } = useAction();
  return {
    ...standing,
    /** Resolves with whether it succeeded. Never rejects. */
    change: async (operation: PageOperation, input?: unknown): Promise<boolean> =>
      run(async () => {
        await call(operation, input);
        await read(...outdated);
      }),
  };
}
