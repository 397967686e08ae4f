// The ways of moving a bolt that can be announced: only where the service's word means that way.
import { expect, it } from 'vitest';
import type { AccessMethod } from '../../../src/domain/access.ts';
import type { MoveMethod } from '../../../src/homekit/lock-options.ts';
import { moveMethodOf } from '../../../src/homekit/move-sensors.ts';

it.each<[AccessMethod, MoveMethod | null]>([
  ['access-code', 'keypad'],
  ['thumbturn', 'inside'],
  ['one-touch', 'outside'],
  ['virtual-key', 'remote'],
  ['platform', 'remote'],
  ['own-command', 'remote'],
  ['auto-relock', 'autoRelock'],
  ['platform-key', 'nfc'],
  ['unlock-button', null],
  ['lock-button', null],
  ['schedule', null],
  ['unavailable', null],
  ['other', null],
])('a bolt moved by %s is announced as %s', (method, way) => {
  expect(moveMethodOf(method)).toBe(way);
});
