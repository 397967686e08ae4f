// Loads the `mqtt` package, which the build joins into a file of its own, so that only homes with a broker load it.

import type { IClientOptions, MqttClient } from 'mqtt';

/** The used part of the package. */
export interface MqttPackage {
  readonly default: { readonly connect: (options: IClientOptions) => MqttClient };
}

export async function loadMqtt(): Promise<MqttPackage> {
  return import('mqtt');
}
