// Our carrier at a broker of a test, as a home of that name has it; closed when the test ends.
import { onTestFinished } from 'vitest';
import type { Carrier } from '../../src/carrier/carrier.ts';
import type { BrokerOptions } from '../../src/mqtt/broker-options.ts';
import { openMqttCarrier } from '../../src/mqtt/mqtt-carrier.ts';
import { loadMqtt } from '../../src/mqtt/mqtt-package.ts';
import { type Clock, systemClock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';

export const mqtt = await loadMqtt();

/** A hundred times as fast: for pauses. On a busy machine a broker's answer takes longer than a hundredth of its deadline. */
export const hasty: Clock = {
  ...systemClock,
  after: (delayMs, callback) => systemClock.after(delayMs / 100, callback),
};

export function carrierAt(
  url: URL,
  options: Partial<BrokerOptions> = {},
  parts: Partial<Parameters<typeof openMqttCarrier>[0]> = {},
): Carrier {
  const carrier = openMqttCarrier({
    mqtt,
    options: {
      url,
      tls: { ca: null, client: null },
      login: null,
      session: { clientId: 'house', expirySeconds: 0, receiveAtMost: 10 },
      will: null,
      subscriptions: [],
      ...options,
    },
    clock: systemClock,
    pauseClock: hasty,
    random: () => 0,
    log: silentLog,
    ...parts,
  });
  onTestFinished(async () => carrier.close());
  return carrier;
}
