// Sends the window a heartbeat every two seconds, because a killed process cannot report its end.
import { HEARTBEAT_MS } from '../panel/heartbeat.ts';
import type { Clock } from '../support/clock.ts';

export function startHeartbeat(clock: Pick<Clock, 'after'>, push: () => void): void {
  clock.after(HEARTBEAT_MS, () => {
    push();
    startHeartbeat(clock, push);
  });
}
