// The panel's operations on MQTT.
import { z } from 'zod';
import { nothing, pageRows } from '../../../panel/operations/operation.ts';
import type { MqttApi } from './views.ts';

/** Longest user name and password, in characters (our choice). */
const LONGEST = { username: 256, password: 1_024 } as const;

/** A null user name forgets the login. */
const login = () =>
  z.object({
    username: z.string().trim().min(1).max(LONGEST.username).nullable(),
    password: z.string().max(LONGEST.password).nullable().default(null),
  });

const row = pageRows(({ mqtt }: { readonly mqtt: MqttApi }) => mqtt);

export const MQTT_OPERATIONS = {
  'mqtt.status': row('reads', nothing, (mqtt) => mqtt.status()),
  'mqtt.login': row('changes', login, async (mqtt, { username, password }) =>
    mqtt.login(username === null ? null : { username, password }),
  ),
};
