// The panel's operations on MQTT.
import { z } from 'zod';
import type { MqttApi, MqttView } from './mqtt-view.ts';
import { nothing, operation } from './operation.ts';

/** Longest user name and password, in characters (our choice). */
const LONGEST = { username: 256, password: 1_024 } as const;

/** A null user name forgets the login. */
const login = z.object({
  username: z.string().trim().min(1).max(LONGEST.username).nullable(),
  password: z.string().max(LONGEST.password).nullable().default(null),
});

export function mqttOperations(mqtt: MqttApi) {
  return {
    'mqtt.status': operation(nothing, async (): Promise<MqttView> => mqtt.status()),
    'mqtt.login': operation(login, async ({ username, password }): Promise<MqttView> => {
      return mqtt.login(username === null ? null : { username, password });
    }),
  };
}
