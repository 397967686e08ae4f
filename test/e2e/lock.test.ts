// The main job, for real: the packed plugin on each kind of bridge of the newest Homebridge.
import { describeLock } from './lock-core.ts';

describeLock({ on: 'the main bridge', onChildBridge: false, start: {} });
describeLock({ on: 'a child bridge', onChildBridge: true, start: {} });
