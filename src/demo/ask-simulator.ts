// Asks the simulated service of the demo, which runs on this machine: one request, and a bolt that is turned by hand.
import type { IncomingMessage } from 'node:http';
import { message } from '../domain/language/message.ts';
import type { DemoHand } from '../panel/operations/demo.ts';
import { RetryError } from '../support/errors.ts';
import { request } from '../support/node-http.ts';

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

/** `origin`: of the simulated service. */
export function demoHand(origin: string): DemoHand {
  return async (lock, to) => {
    const url = new URL(`/_control/locks/${encodeURIComponent(lock)}/turn-thumbturn`, origin);
    const { statusCode } = await askSimulator(url, { to: to === 'secured' ? 'Locked' : 'Unlocked' });
    if (statusCode !== 200) {
      throw new RetryError('unreachable', message('The simulated lock could not be turned.'));
    }
  };
}
