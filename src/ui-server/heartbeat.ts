// Tells the window every two seconds that this process lives: a process that was killed says nothing.
import { HEARTBEAT_MS } from '../panel/heartbeat.ts';
import type { Clock } from '../support/clock.ts';

export function startHeartbeat(clock: Pick<Clock, 'after'>, push: () => void): void {
  clock.after(HEARTBEAT_MS, () => {
    push();
    startHeartbeat(clock, push);
  });
}
