// One request to the simulated service of the demo, which runs on this machine.
import type { IncomingMessage } from 'node:http';
import { message } from '../../domain/language/message.ts';
import { RetryError } from '../../support/errors.ts';
import { request } from '../../support/node-http.ts';

const ANSWERED_WITHIN_MS = 5_000;

/** `body`: posted as JSON; left out, the address is read. Rejects with a retry error (`unreachable`) without an answer. */
export async function askSimulator(url: string | URL, body?: object): Promise<IncomingMessage> {
  const sent = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' } };
  return new Promise((resolve, reject) => {
    const call = request(url, { ...sent, timeout: ANSWERED_WITHIN_MS, agent: false }, (answer) => {
      answer.resume();
      resolve(answer);
    });
    call.once('timeout', () => call.destroy(new Error('No answer in time')));
    call.once('error', (error) => {
      reject(
        new RetryError('unreachable', message('The simulated service does not answer.'), { cause: error }),
      );
    });
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
