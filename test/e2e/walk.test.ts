// A reviewer's walk on the newest Homebridge; `npm run test:versions` takes it on every pair of versions, with the demo.
import { describeWalk } from './walk-core.ts';

describeWalk({ on: 'the newest Homebridge', withDemo: false });
