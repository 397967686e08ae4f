// Turns a simulated bolt of the demo by hand, through the simulator's own interface on this machine.
import { message } from '../../domain/language/message.ts';
import type { DemoHand } from '../../panel/operations/demo.ts';
import { RetryError } from '../../support/errors.ts';
import { askSimulator } from './ask-simulator.ts';

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
