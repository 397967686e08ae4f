// Calls of the control API, with their results in words, and how a part of the page gets to make them.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { memberOf } from '../../src/support/text/foreign-json.ts';

/** The result of a control call. */
export type Outcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly words: string };

/** One call, by its path below `/_control`. Never rejects. */
export type Act = (path: string, details?: unknown) => Promise<Outcome>;

/** The path of something done to one lock. */
export function lockPath(deviceId: string, action: string): string {
  return `locks/${encodeURIComponent(deviceId)}/${action}`;
}

/** Posts a control call. */
export const callControl: Act = async (path, details = {}) => {
  try {
    // oxlint-disable-next-line no-restricted-globals -- the browser's own, on the page's own origin
    const answer = await fetch(`/_control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(details),
    });
    const body: unknown = await answer.json();
    return answer.ok
      ? { ok: true, result: memberOf(body, 'result') }
      : { ok: false, words: errorWords(body, answer.status) };
  } catch {
    return { ok: false, words: 'The simulator does not answer.' };
  }
};

function errorWords(body: unknown, status: number): string {
  const error = memberOf(body, 'error');
  const issues = memberOf(body, 'issues');
  const lines = Array.isArray(issues)
    ? issues.map((issue: unknown) => `${textOf(issue, 'path')}: ${textOf(issue, 'message')}`)
    : [];
  return [typeof error === 'string' ? error : `The simulator answered ${String(status)}.`, ...lines].join(
    ' ',
  );
}

function textOf(value: unknown, name: string): string {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text : '';
}

/** Provided by the page. */
export const ActContext = createContext<Act>(callControl);

/** The page's access to the control API. */
export const useAct = (): Act => useContext(ActContext);
