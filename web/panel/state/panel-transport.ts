// The dashboard's own connection: operations by POST, events by one stream, and the login where the dashboard asks for one.

import { HEARTBEAT_EVENT } from '../../../src/panel/heartbeat.ts';
import type { PageOperation } from '../../../src/panel/operations/panel-api.ts';
import type { PanelEvent } from '../../../src/panel/panel-event.ts';
import { ROLES } from '../../../src/panel/sessions/role.ts';
import { memberOf } from '../../../src/support/text/foreign-json.ts';
import { t } from '../../../src/words/translate.ts';
import { READINGS } from './account-state.ts';
import { type After, HeartbeatWatch } from './heartbeat-watch.ts';
import type { Stream } from './stream-hub.ts';
import { callErrorOf, type Login, type PageResults, type Transport, unreachable } from './transport.ts';

/**
 * The session is asked for again when no answer has come by then, in milliseconds: a wire dies without a word. With
 * `REOPEN_AFTER_MS` it is less than 5 s, so that a page is right again within 5 s of a wire that was mended.
 */
const SESSION_WITHIN_MS = 2_500;

/** The number of connections that a browser keeps to one server: when a line falls silent, all may be dead. */
const MOST_CONNECTIONS = 6;

/** A reading without an answer is given up then, in milliseconds (our choice): the next may have a wire that lives. */
const READING_WITHIN_MS = 5_000;

/** Else a browser sends one of several equal questions, and has the others wait for its answer. */
const UNCACHED: RequestInit = { cache: 'no-store' };

/** Operations that only read known data. */
const QUICK: ReadonlySet<PageOperation> = new Set([...READINGS, 'watch']);

/** The pause after a refused stream; the browser itself opens a broken one again. */
const REOPEN_AFTER_MS = 1_000;

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

/** `EventSource.CLOSED`: the browser does not open it again. */
const CLOSED = 2;

const LOGIN = 'login';

export interface PanelTransport extends Transport {
  readonly place: 'panel';
  /** Resolves with false when a person has to log in first. Rejects when the dashboard does not answer. */
  begin(): Promise<boolean>;
  /** Takes a login token, or the whole login address; rejects with a `CallError` that says why not. */
  logIn(tokenOrAddress: string): Promise<void>;
  readonly logout: (isEverywhere: boolean) => Promise<void>;
}

/** What of the browser a line needs. */
export interface LineParts {
  readonly open: (url: string) => Stream;
  readonly after: After;
}

/** `onLoggedOut` is called when the dashboard no longer knows us. */
export function panelTransport(onLoggedOut: () => void, parts: LineParts): PanelTransport {
  let csrf = '';
  let login: Login | null = null;
  /** Null: everything. */
  let allowed: readonly unknown[] | null = null;

  const send = async (path: string, body: unknown, withinMs: number | null): Promise<Response> =>
    answered(parts.after, withinMs, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'latchkey-csrf': csrf },
      body: JSON.stringify(body ?? {}),
    });
  const begin = async (giving?: AbortController): Promise<boolean> => {
    const answer = await answered(parts.after, SESSION_WITHIN_MS, 'session', UNCACHED, giving);
    if (answer.status === UNAUTHORIZED) {
      return false;
    }
    const content: unknown = await answer.json().catch(() => null);
    const token = memberOf(content, 'csrf');
    if (!answer.ok || typeof token !== 'string') {
      throw callErrorOf(memberOf(content, 'error'));
    }
    csrf = token;
    const [id, role, may] = ['login', 'role', 'may'].map((name) => memberOf(content, name));
    login = typeof id === 'string' ? { id, role: ROLES.find((known) => known === role) ?? 'look' } : null;
    allowed = Array.isArray(may) ? may : null;
    return true;
  };
  const post = async (path: string, body: unknown, withinMs: number | null = null): Promise<unknown> => {
    let answer = await send(path, body, withinMs);
    // Another login in this browser has replaced the one that the page knows of: nothing was done yet.
    if (answer.status === FORBIDDEN && path !== LOGIN && (await begin())) {
      answer = await send(path, body, withinMs);
    }
    const content: unknown = await answer.json().catch(() => null);
    if (!answer.ok) {
      if (answer.status === UNAUTHORIZED && path !== LOGIN) {
        onLoggedOut();
      }
      throw callErrorOf(memberOf(content, 'error'));
    }
    return content;
  };
  return {
    place: 'panel',
    begin: async () => begin(),
    may: (operation) => allowed?.includes(operation) ?? true,
    login: () => login,
    logIn: async (tokenOrAddress) => {
      await post(LOGIN, { token: tokenOf(tokenOrAddress) });
      await begin();
    },
    logout: async (everywhere) => {
      await post('logout', { everywhere });
      onLoggedOut();
    },
    call: async <Name extends PageOperation>(operation: Name, input?: unknown) => {
      const content = await post(`call/${operation}`, input, QUICK.has(operation) ? READING_WITHIN_MS : null);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page and its server are built together
      return memberOf(content, 'result') as PageResults[Name];
    },
    listen: (onEvent, onConnected) => listen({ ...parts, onEvent, onConnected, begin, onLoggedOut }),
  };
}

/**
 * `withinMs`: how long to wait; null: as long as it takes. `giving`: calls it off. Rejects with a `CallError` without an
 * answer.
 */
async function answered(
  wait: After,
  withinMs: number | null,
  path: string,
  init: RequestInit = {},
  giving = new AbortController(),
): Promise<Response> {
  const cancel = withinMs === null ? (): void => undefined : wait(withinMs, () => giving.abort());
  try {
    // oxlint-disable-next-line no-restricted-globals -- the browser's own, on the page's own origin
    return await fetch(`api/${path}`, { ...init, signal: giving.signal });
  } catch {
    throw unreachable(t('The plugin does not answer. Is it running?'));
  } finally {
    cancel();
  }
}

/** The token of a login address, or the text itself. */
function tokenOf(text: string): string {
  return /#login=(.+)$/.exec(text.trim())?.[1] ?? text.trim();
}

interface Line extends LineParts {
  readonly onEvent: (event: PanelEvent) => void;
  readonly onConnected: (connected: boolean) => void;
  readonly begin: (giving: AbortController) => Promise<boolean>;
  readonly onLoggedOut: () => void;
}

/** The stream, and a new one whenever it ends, is refused or falls silent. */
function listen({ open, after: wait, onEvent, onConnected, begin, onLoggedOut }: Line): () => void {
  let stream: ReturnType<LineParts['open']> | null = null;
  let callOff = (): void => undefined;
  const watch = new HeartbeatWatch(wait, () => {
    onConnected(false);
    stream?.close();
    void reopen(MOST_CONNECTIONS);
  });
  const start = (): void => {
    stream = open('api/events');
    // One that never opens is given up as well.
    watch.beat();
    stream.addEventListener('open', () => {
      watch.beat();
      onConnected(true);
    });
    stream.addEventListener(HEARTBEAT_EVENT, () => watch.beat());
    stream.addEventListener('message', (message) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the page and its server are built together
      onEvent(JSON.parse(String(memberOf(message, 'data'))) as PanelEvent);
    });
    stream.addEventListener('error', () => {
      onConnected(false);
      if (stream?.readyState === CLOSED) {
        watch.stop();
        callOff = wait(REOPEN_AFTER_MS, () => void reopen());
      }
    });
  };
  // A restarted plugin may no longer know our session: its refusal comes before the stream is opened again.
  const reopen = async (questions = 1): Promise<void> => {
    const giving = new AbortController();
    try {
      // One question would wait for each dead connection in turn.
      const isKnown = await Promise.any(Array.from({ length: questions }, async () => begin(giving)));
      const resume = isKnown ? start : onLoggedOut;
      resume();
    } catch {
      callOff = wait(REOPEN_AFTER_MS, () => void reopen(questions));
    } finally {
      // A request without an answer beside an answered one is on a dead connection, which ends with it and is not used again.
      giving.abort();
    }
  };
  start();
  return () => {
    callOff();
    watch.stop();
    stream?.close();
  };
}
