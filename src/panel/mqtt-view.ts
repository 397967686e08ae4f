// MQTT as people see it: the broker, whether it is connected, and where the login comes from.

export interface MqttView {
  /** Scheme, host and port; null: MQTT is off. */
  readonly broker: string | null;
  readonly encrypted: boolean;
  /** `starting`: before the first attempt; `off` also while another process owns the account. */
  readonly state: 'off' | 'starting' | 'connecting' | 'connected' | 'waiting';
  /** Why there is no connection, in words with the next step; null while there is one, and before the first attempt. */
  readonly trouble: string | null;
  readonly homeAssistant: boolean;
  readonly loginFrom: 'config' | 'page' | null;
  /** Null without a login. */
  readonly username: string | null;
}

/** Operations on MQTT. Rejects with the errors of `support/errors.ts`. */
export interface MqttApi {
  status(): MqttView;
  /** Keeps a login for the broker in use, and connects with it; null forgets it. Rejects with `bad-request` where config.json has one. */
  login(login: { readonly username: string; readonly password: string | null } | null): Promise<MqttView>;
}
