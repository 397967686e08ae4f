// The configuration of the moment: read anew at SIGHUP, except for what the running relay cannot change.
import { isDeepStrictEqual } from 'node:util';
import type { RelayConfig } from './relay-config.ts';

/** What a relay opens at its start. */
const FIXED = ['host', 'port', 'statusHost', 'statusPort', 'broker'] as const satisfies (keyof RelayConfig)[];

export class LiveConfig {
  #config: RelayConfig;

  constructor(config: RelayConfig) {
    this.#config = config;
  }

  get current(): RelayConfig {
    return this.#config;
  }

  /** Takes everything else from now on; returns the members that need a restart. */
  take(config: RelayConfig): readonly string[] {
    const former = this.#config;
    const kept = Object.fromEntries(FIXED.map((name) => [name, former[name]]));
    this.#config = { ...config, ...kept };
    return FIXED.filter((name) => !isDeepStrictEqual(config[name], former[name]));
  }
}
