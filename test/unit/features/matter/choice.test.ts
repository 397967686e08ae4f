// Where locks are shown, and whether an account's bridge offers Matter.
import { describe, expect, it } from 'vitest';
import {
  matterBridgeOf,
  matterChoice,
  matterObstacleIn,
  wantsMatter,
} from '../../../../src/features/matter/options/choice.ts';
import { acceptedFrom, configOf, problemsOf } from '../../../support/checked-config.ts';

describe('the place where a lock is shown', () => {
  it('is HomeKit alone unless config.json says otherwise', () => {
    expect(matterChoice(configOf({}), 'a')).toBe('off');
    expect(wantsMatter(configOf({}))).toBe(false);
  });

  it('follows the option of the account, and an option of the lock wins', () => {
    const written = configOf({ matter: 'both', locks: [{ id: 'a', matter: 'off' }] });
    expect(matterChoice(written, 'a')).toBe('off');
    expect(matterChoice(written, 'b')).toBe('both');
  });

  it('includes Matter when a single lock asks for it', () => {
    expect(wantsMatter(configOf({ locks: [{ id: 'a', matter: 'only' }] }))).toBe(true);
    expect(wantsMatter(configOf({ locks: [{ id: 'a', matter: 'off' }, { id: 'b' }] }))).toBe(false);
  });

  it('is HomeKit alone in the demo, which says so', () => {
    const { config, warnings } = acceptedFrom({ demo: true, matter: 'both' });
    expect(config.matter).toBe('off');
    expect(warnings).toEqual(['matter: is not used in the demo']);
  });

  it('is refused by name when it is none of the three', () => {
    expect(problemsOf({ matter: 'yes' })).toEqual([expect.stringContaining('matter: ')]);
  });
});

it.each(['246', '246813579', '2468-1357', 'x24681357', 24_681_357, ['24681357']])(
  'a PIN such as %j is refused by name, not repeated, and costs nothing but unlocking over Matter (faults#135)',
  (remotePin) => {
    const accepted = acceptedFrom({ matter: 'both', remotePin });
    const warnings = accepted.warnings.join();
    expect(warnings).toContain('remotePin: ');
    expect(warnings).toContain('until then nothing is unlocked over Matter or MQTT');
    expect(warnings).not.toMatch(/246/);
    expect(accepted.config).toMatchObject({ remotePin: null, remotePinIsFaulty: true });
  },
);

describe('the PIN for unlocking from afar', () => {
  it.each([
    [{ matterPin: '2468' }, '2468', ['matterPin: is now called remotePin; rename it']],
    [{ remotePin: '2468' }, '2468', []],
    [{ remotePin: '2468', matterPin: '1357' }, '2468', ['matterPin: is now called remotePin; rename it']],
    [{ remotePin: '', matterPin: '1357' }, '1357', ['matterPin: is now called remotePin; rename it']],
  ])('is read by either of its names: %o', (block, remotePin, warnings) => {
    expect(acceptedFrom(block)).toMatchObject({ config: { remotePin }, warnings });
  });
});

describe('the bridge of an account', () => {
  it.each([
    [{}, 'main-bridge'],
    [{ _bridge: null }, 'main-bridge'],
    [{ _bridge: { username: '0E:00' } }, 'off'],
    [{ _bridge: { matter: {} } }, 'on'],
    [{ _bridge: { matter: { port: 5540 } } }, 'on'],
    [{ _bridge: { matter: { port: 5540, enabled: true } } }, 'on'],
    [{ _bridge: { matter: { port: 5540, enabled: false } } }, 'off'],
    [{ _bridge: { matter: { port: 5540, externalsOnly: true } } }, 'off'],
    [{ _bridge: { matter: 'yes' } }, 'off'],
  ] as const)('%j offers Matter: %s', (block, offered) => {
    expect(matterBridgeOf(block)).toBe(offered);
  });

  it('stands in the way only of locks that are to be shown over Matter', () => {
    expect(matterObstacleIn({})).toBeNull();
    expect(matterObstacleIn({ matter: 'off', locks: [{ id: 'a', matter: 'off' }, null] })).toBeNull();
    expect(matterObstacleIn({ matter: 'both', _bridge: { matter: {} } })).toBeNull();
    expect(matterObstacleIn({ matter: 'both' })?.advice.text).toContain('child bridge');
    expect(matterObstacleIn({ locks: [{ id: 'a', matter: 'only' }] })?.advice.text).toContain('child bridge');
    expect(matterObstacleIn({ matter: 'only', _bridge: {} })?.advice.text).toContain('Turn Matter on');
  });
});
