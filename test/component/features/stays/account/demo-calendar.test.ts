// The demo's booked stays over the whole account and the demo's own scenario: codes are on its locks without a person.
import { expect, it } from 'vitest';
import { EXAMPLES } from '../../../../../simulator/src/scenario/examples.ts';
import { parseScenario } from '../../../../../simulator/src/scenario/scenario.ts';
import { addDemoCalendar } from '../../../../../src/features/stays/account/demo-calendar.ts';
import { silentLog } from '../../../../../src/support/log.ts';
import { SimulatedHome } from '../../../../homes/simulated-home.ts';

it('the demo puts the first codes on two of its locks within a minute, with a turnover a day away', async () => {
  // Loaded with the first calendar; here nobody waits for a disk.
  await import('../../../../../src/features/stays/calendar/calendar-reader.ts');
  const scenario = parseScenario(EXAMPLES.get('demo'), 'demo');
  const home = await SimulatedHome.linked({ simulator: { scenario } });
  const [portal] = home.simulator.calendars;
  await addDemoCalendar(
    { name: portal?.name ?? '', url: portal?.url ?? '' },
    { ...home.app.operations },
    silentLog,
  );
  await home.clock.advance(60_000);
  const codesOn = (name: string) =>
    home.simulator.world.inspect(home.idOf(name)).codesOnLock.map((code) => code.name);
  const two = ['Stay 12-15 Apr', 'Stay 15-18 Apr'];
  const all = ['Demo back door', 'Demo front door', 'Demo garage'].map((name) => codesOn(name));
  expect(all).toEqual([two, ['Demo code', ...two], []]);
  const { calendars, stays } = await home.app.operations['stays.list']({});
  expect(calendars).toMatchObject([{ name: 'Rental portal', from: 'page', trouble: null, doubt: null }]);
  expect(stays.map(({ phase, obstacles }) => [phase, obstacles])).toEqual([
    ['ready', []],
    ['ready', []],
    ['planned', []],
  ]);
});
