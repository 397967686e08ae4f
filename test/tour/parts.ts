// The parts of the tour, in the order of their numbers. They are played side by side: a new one is a new entry here.
import { diskPart } from './disk-steps.ts';
import { matterPart } from './matter-steps.ts';
import { mqttParts } from './mqtt-steps.ts';
import type { Part } from './part.ts';
import { pushParts } from './push-steps.ts';
import { stayPart } from './stay-steps.ts';
import { plainParts } from './steps.ts';
import { truthParts } from './truth-steps.ts';

export const parts: readonly Part[] = [
  ...plainParts,
  diskPart,
  ...truthParts,
  ...pushParts,
  matterPart,
  ...mqttParts,
  stayPart,
];
