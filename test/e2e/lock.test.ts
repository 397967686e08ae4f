// The main job, for real: the packed plugin on a child bridge, where Homebridge puts it; most other files are on the main one.
import { describeLock } from './lock-core.ts';

describeLock({ on: 'a child bridge', onChildBridge: true, start: {} });
