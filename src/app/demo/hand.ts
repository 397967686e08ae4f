// Turns a simulated bolt of the demo by hand, through the simulator's own interface on this machine.
import { message } from '../../domain/language/message.ts';
import type { DemoHand } from '../../panel/operations/demo.ts';
import { RetryError } from '../../support/errors.ts';
import { request } from '../../support/node-http.ts';

/** A turn is one request to this machine. */
const TURNED_WITHIN_MS = 5_000;

/** `origin`: of the simulated service. */
export function demoHand(origin: string): DemoHand {
  return async (lock, to) => {
    const url = new URL(`/_control/locks/${encodeURIComponent(lock)}/turn-thumbturn`, origin);
    const status = await post(url, { to: to === 'secured' ? 'Locked' : 'Unlocked' });
    if (status !== 200) {
      throw new RetryError('unreachable', message('The simulated lock could not be turned.'));
    }
  };
}

/** Resolves with the status of the answer. */
async function post(url: URL, body: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const call = request(
      url,
      { method: 'POST', headers, timeout: TURNED_WITHIN_MS, agent: false },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    call.once('timeout', () => call.destroy(new Error('No answer in time')));
    call.once('error', (error) => {
      reject(
        new RetryError('unreachable', message('The simulated service does not answer.'), { cause: error }),
      );
    });
    call.end(JSON.stringify(body));
  });
}
