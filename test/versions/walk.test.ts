// A reviewer's walk on every Homebridge and Node that package.json names.
import { describeWalk } from '../e2e/walk-core.ts';
import { ITS_OWN, PAIRS } from './versions.ts';

for (const { title, versions } of PAIRS) {
  describeWalk({ on: title, versions, itsOwn: ITS_OWN });
}
