// MQTT as people see it: the broker, whether it is connected, and where the login comes from.
import type { Message } from '../../../domain/language/message.ts';

export interface MqttView {
  /** Scheme, host and port; null: MQTT is off. */
  readonly broker: string | null;
  readonly encrypted: boolean;
  /** `starting`: before the first attempt; `off` also while another process owns the account. */
  readonly state: 'off' | 'starting' | 'connecting' | 'connected' | 'waiting';
  /** The fault, with a connection or without, in words with the next step; null when none is known. */
  readonly trouble: Message | null;
  readonly homeAssistant: boolean;
  readonly loginFrom: 'config' | 'page' | null;
  /** Null without a login. */
  readonly username: string | null;
  /** What every topic of the account begins with; null before the start. */
  readonly topics: string | null;
  /** Commands that were refused since the start, by reason. */
  readonly refused: Readonly<Record<string, number>>;
}

/** Operations on MQTT. Rejects with the errors of `support/errors.ts`. */
export interface MqttApi {
  status(): MqttView;
  /** Keeps a login for the broker in use, and connects with it; null forgets it. Rejects with `bad-request` where config.json has one. */
  login(login: { readonly username: string; readonly password: string | null } | null): Promise<MqttView>;
}
