// How the pages reach the account: the same operations and events, over HTTP on the dashboard and over messages in the Homebridge UI.

import type { PageOperation } from '../../../src/panel/operations/panel-api.ts';
import type { PanelEvent } from '../../../src/panel/panel-event.ts';
import type { Role } from '../../../src/panel/sessions/role.ts';
import type { PanelResults } from '../../../src/panel/socket/panel-client.ts';
import type { ErrorView } from '../../../src/panel/views/error.ts';
import { memberOf } from '../../../src/support/text/foreign-json.ts';
import { t } from '../../../src/words/translate.ts';

/** What each operation resolves with. */
export type PageResults = Pick<PanelResults, PageOperation>;

/** Calls one operation by its name. Rejects with a `CallError`. */
export type Call = <Name extends PageOperation>(
  operation: Name,
  input?: unknown,
) => Promise<PageResults[Name]>;

export interface Login {
  readonly id: string;
  readonly role: Role;
}

export interface Transport {
  readonly place: 'panel' | 'homebridge-ui';
  readonly call: Call;
  /** Whether this login may ask for it: what it may not is not offered. */
  readonly may: (operation: PageOperation) => boolean;
  /** The login of this page in the list of logins; null without one. */
  readonly login: () => Login | null;
  /** Ends the login of this browser, or of all of them; null where pages have no login of their own. */
  readonly logout: ((isEverywhere: boolean) => Promise<void>) | null;
  /** Reports every event, and whether events can be received at the moment; the returned function ends it. */
  listen(onEvent: (event: PanelEvent) => void, onConnected: (connected: boolean) => void): () => void;
}

/** An operation that failed, in words for people. */
export class CallError extends Error {
  readonly disposition: ErrorView['disposition'];
  /** A code of `support/errors.ts`. */
  readonly code: string;
  /** The length of a `wait` that the service asked for, in milliseconds; else null. */
  readonly waitMs: number | null;

  constructor({ disposition, code, message, words = null, waitMs = null }: ErrorView) {
    super(words === null ? message : t(words));
    this.name = 'CallError';
    this.disposition = disposition;
    this.code = code;
    this.waitMs = waitMs;
  }
}

/** The page's own line is broken: nothing was done, as far as it knows. */
export function unreachable(message: string): CallError {
  return new CallError({ disposition: 'retry', code: 'unreachable', message });
}

/** The page and what answers it do not understand each other. */
export function senseless(): CallError {
  return new CallError({
    disposition: 'final',
    code: 'wire-mismatch',
    message: t('The plugin gave an answer that this page does not understand. Load the page again.'),
  });
}

/** An error as it came over the line. */
export function callErrorOf(error: unknown): CallError {
  return isErrorView(error) ? new CallError(error) : senseless();
}

/** Any thrown value, as an error that can be shown. */
export function shownError(thrown: unknown): CallError {
  return thrown instanceof CallError ? thrown : senseless();
}

function isErrorView(error: unknown): error is ErrorView {
  return ['disposition', 'code', 'message'].every((name) => typeof memberOf(error, name) === 'string');
}
