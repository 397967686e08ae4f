// Push through the whole app: registered by itself, signed by the simulator, shown at once, and healed when it is lost.
import { describe, expect, it } from 'vitest';
import { boltOf } from '../../../src/domain/lock.ts';
import { freePort } from '../../harness/free-port.ts';
import { RESIDENT, SimulatedHome } from './simulated-home.ts';

async function homeWithPush(more: Readonly<Record<string, unknown>> = {}): Promise<SimulatedHome> {
  const port = await freePort();
  const home = await SimulatedHome.linked({
    simulator: { webhooks: { allowHttpToLoopback: true } },
    options: {
      webhooks: { enabled: true, port, publicUrl: `http://127.0.0.1:${port}`, ...more },
    },
  });
  await home.clock.advance(2_000);
  await home.simulator.deliveriesIdle();
  return home;
}

function shown(home: SimulatedHome, name = 'Front door'): string | undefined {
  const lock = home.app.house.lock(home.idOf(name));
  return lock === undefined ? undefined : boltOf(lock);
}

async function turn(home: SimulatedHome, name = 'Front door'): Promise<void> {
  await home.control(`locks/${encodeURIComponent(name)}/turn-thumbturn`);
  await home.simulator.deliveriesIdle();
  await home.clock.advance(0);
}

describe('webhooks', () => {
  it('are registered by the app itself, once the account is linked', async () => {
    const home = await homeWithPush();
    const registrations = await home.requests('POST', 'events/subscriptions');
    expect(registrations.map(({ answer }) => answer?.includes('"Active"'))).toEqual([true]);
    expect(home.lines).toContain('Webhooks are registered with the service.');
  });

  it('show a hand at the door at once, with who it was, and without a listing', async () => {
    const home = await homeWithPush();
    const listings = await home.requests('GET', '/devices');
    await turn(home);
    expect(shown(home)).toBe('unsecured');
    expect(home.app.house.lock(home.idOf('Front door'))?.lastMove?.by.method).toBe('thumbturn');
    expect((await home.requests('GET', '/devices')).length - listings.length).toBe(0);
  });

  it('that are lost are found by the next listing, and asked for more often from then on (faults#54)', async () => {
    const home = await homeWithPush();
    await turn(home);
    await home.control('house/fail-deliveries', { kind: 'drop', often: 'always' });
    await turn(home);
    expect(shown(home)).toBe('unsecured');
    await home.clock.advance(400_000);
    expect(shown(home)).toBe('secured');
    expect(home.lines.filter((line) => line.startsWith('Webhooks are not proven'))).toHaveLength(2);
  });

  it('that are forged change nothing and are refused', async () => {
    const home = await homeWithPush();
    await home.control('house/fail-deliveries', { kind: 'forge', forgery: 'wrong-key', often: 'always' });
    await turn(home);
    expect(shown(home)).toBe('secured');
  });

  it('that come twice have one effect (faults#45)', async () => {
    const home = await homeWithPush();
    const moves: unknown[] = [];
    home.app.house.subscribe((happening) => {
      if (happening.type === 'lock-changed' && happening.lock.lastMove !== happening.previous.lastMove) {
        moves.push(happening.lock.lastMove?.to);
      }
    });
    await home.control('house/fail-deliveries', { kind: 'double', often: 'always' });
    await turn(home);
    expect(moves).toEqual(['unsecured']);
  });

  it('end the link at once when the person signs out everywhere', async () => {
    const home = await homeWithPush();
    await home.control('house/sign-out-everywhere', { userId: RESIDENT });
    await home.simulator.deliveriesIdle();
    await home.clock.advance(0);
    expect(home.app.house.linkState()).toBe('signed-out');
  });

  it('stay registered across a restart, without another registration', async () => {
    const home = await homeWithPush();
    await home.restart();
    await home.clock.advance(2_000);
    await turn(home);
    expect(shown(home)).toBe('unsecured');
    expect((await home.requests('POST', 'events/subscriptions')).length).toBe(1);
  });
});
