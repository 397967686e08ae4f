// The webhook's addresses across restarts: the unguessable path, and the addresses registered with the service.
import type { WebhooksConfig } from '../../config/config.ts';
import type { RegisteredAddresses } from '../../engine/webhooks/subscription-keeper.ts';
import type { KeptValues } from '../../storage/account/settings.ts';

const PATH_SETTING = 'webhooks.path';
const REGISTERED_SETTING = 'webhooks.registered';

export class WebhookAddresses implements RegisteredAddresses {
  readonly #webhooks: WebhooksConfig | null;
  readonly #settings: Pick<KeptValues, 'read' | 'write'>;

  /** `webhooks`: null while they are not switched on. */
  constructor(webhooks: WebhooksConfig | null, settings: Pick<KeptValues, 'read' | 'write'>) {
    this.#webhooks = webhooks;
    this.#settings = settings;
  }

  /** The path from the configuration, or generated once and stored: without it no request is verified. Null until it is generated. */
  get path(): string | null {
    const kept = this.#settings.read(PATH_SETTING);
    return this.#webhooks?.path ?? (typeof kept === 'string' ? kept : null);
  }

  /** The path, which is made now if there was none. */
  pathOr(make: () => string): string {
    const known = this.path;
    if (known !== null) {
      return known;
    }
    const path = make();
    this.#settings.write(PATH_SETTING, path);
    return path;
  }

  /** The whole public address; null while one of its halves is missing. */
  get url(): string | null {
    const { path } = this;
    const publicUrl = this.#webhooks?.publicUrl ?? null;
    return path === null || publicUrl === null ? null : `${publicUrl}${path}`;
  }

  read(): readonly string[] {
    const kept = this.#settings.read(REGISTERED_SETTING);
    return Array.isArray(kept) ? kept.filter((url) => typeof url === 'string') : [];
  }

  write(urls: readonly string[]): void {
    this.#settings.write(REGISTERED_SETTING, urls);
  }
}
