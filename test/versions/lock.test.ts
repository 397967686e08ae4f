// The main job on every Homebridge and Node that package.json names: a tap, a hand at the door, a restart.
import { describeLock } from '../e2e/lock-core.ts';
import { ITS_OWN, PAIRS } from './versions.ts';

for (const { title, versions } of PAIRS) {
  for (const onChildBridge of [false, true]) {
    const bridge = onChildBridge ? 'a child bridge' : 'the main bridge';
    describeLock({ on: `${bridge} of ${title}`, onChildBridge, start: { versions }, itsOwn: ITS_OWN });
  }
}
