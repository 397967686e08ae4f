// Loads the credentialing interface of the owned account on its first use.
import type { FeatureAccount } from '../../../app/features.ts';
import { message } from '../../../domain/language/message.ts';
import { FinalError } from '../../../support/errors.ts';
import type { Credentialing } from './credentialing.ts';
import { type InterfaceConfig, interfaceIn } from './options.ts';

export class LazyCredentialing {
  readonly #account: FeatureAccount;
  readonly #interface: InterfaceConfig | null;
  #opened: Promise<Credentialing> | null = null;

  constructor(account: FeatureAccount) {
    this.#account = account;
    this.#interface = interfaceIn(account.partner.features);
  }

  /** Whether config.json names the interface. */
  get isConfigured(): boolean {
    return this.#interface !== null;
  }

  /** Rejects with `bad-configuration` where config.json names no interface, or one that may not be called. */
  async open(): Promise<Credentialing> {
    if (this.#interface === null) {
      throw new FinalError(
        'bad-configuration',
        message(
          'No credentialing interface is configured. Enter the "Credentialing interface" ({option}), then restart.',
          { option: 'partner.credentialsUrl' },
        ),
      );
    }
    this.#opened ??= this.#load(this.#interface);
    return this.#opened;
  }

  async close(): Promise<void> {
    // A failed opening has been reported to its caller, and holds nothing.
    const opened = await this.#opened?.catch(() => null);
    await opened?.close();
  }

  async #load(written: InterfaceConfig): Promise<Credentialing> {
    // Most homes have no credentialing interface: its code would only delay their start.
    const { Credentialing } = await import('./credentialing.ts');
    return new Credentialing(written, this.#account);
  }
}
