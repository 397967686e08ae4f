// The panel's operations on MQTT.
import { z } from 'zod';
import type { FeatureParts } from '../../../panel/operations/feature-operations.ts';
import { nothing, pageRows } from '../../../panel/operations/operation.ts';
import type { MqttApi } from './views.ts';

/** The name of the feature. */
export const FEATURE = 'home-assistant';

/** Longest user name and password, in characters (our choice). */
const LONGEST = { username: 256, password: 1_024 } as const;

/** A null user name forgets the login. */
const login = () =>
  z.object({
    username: z.string().trim().min(1).max(LONGEST.username).nullable(),
    password: z.string().max(LONGEST.password).nullable().default(null),
  });

const row = pageRows(({ features }: FeatureParts) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the feature itself has opened under its name
  return features.get(FEATURE) as MqttApi;
});

export const MQTT_OPERATIONS = {
  'mqtt.status': row('reads', nothing, (mqtt) => mqtt.status()),
  'mqtt.login': row('changes', login, async (mqtt, { username, password }) =>
    mqtt.login(username === null ? null : { username, password }),
  ),
};

type MqttOperations = typeof MQTT_OPERATIONS;

declare module '../../../panel/operations/feature-operations.ts' {
  interface FeatureOperations extends MqttOperations {}
}

declare module '../../../panel/panel-event.ts' {
  interface FeatureEvents {
    /** The connection to the MQTT broker has changed: `mqtt.status` has it. */
    readonly mqtt: object;
  }
}
