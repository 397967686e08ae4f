// The parts of the tour, each in a home of its own. They are played side by side, so the longest begin first; a new one is a
// new entry here.
import { diskPart } from './disk-steps.ts';
import { matterPart } from './matter-steps.ts';
import { mqttParts } from './mqtt-steps.ts';
import type { Part } from './part.ts';
import { pushParts } from './push-steps.ts';
import { stayPart } from './stay-steps.ts';
import { firstPart, jamPart, outagePart, wifiPart } from './steps.ts';
import { truthParts } from './truth-steps.ts';

export const parts: readonly Part[] = [
  firstPart,
  outagePart,
  jamPart,
  stayPart,
  ...truthParts,
  matterPart,
  ...pushParts,
  ...mqttParts,
  diskPart,
  wifiPart,
];
