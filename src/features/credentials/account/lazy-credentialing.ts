// Loads the credentialing interface of the owned account on its first use.
import { message } from '../../../domain/language/message.ts';
import { FinalError } from '../../../support/errors.ts';
import type { Credentialing, CredentialingParts } from './credentialing.ts';

type LazyCredentialingParts = Omit<CredentialingParts, 'credentialsUrl'>;

export class LazyCredentialing {
  readonly #parts: LazyCredentialingParts;
  #opened: Promise<Credentialing> | null = null;

  constructor(parts: LazyCredentialingParts) {
    this.#parts = parts;
  }

  /** Whether config.json names the interface. */
  get isConfigured(): boolean {
    return this.#parts.partner.credentialsUrl !== null;
  }

  /** Rejects with `bad-configuration` where config.json names no interface, or one that may not be called. */
  async open(): Promise<Credentialing> {
    const { credentialsUrl } = this.#parts.partner;
    if (credentialsUrl === null) {
      throw new FinalError(
        'bad-configuration',
        message(
          'No credentialing interface is configured. Enter the "Credentialing interface" ({option}), then restart.',
          { option: 'partner.credentialsUrl' },
        ),
      );
    }
    this.#opened ??= this.#load(credentialsUrl);
    return this.#opened;
  }

  async close(): Promise<void> {
    // A failed opening has been reported to its caller, and holds nothing.
    const opened = await this.#opened?.catch(() => null);
    await opened?.close();
  }

  async #load(credentialsUrl: string): Promise<Credentialing> {
    // Most homes have no credentialing interface: its code would only delay their start.
    const { Credentialing } = await import('./credentialing.ts');
    return new Credentialing({ ...this.#parts, credentialsUrl });
  }
}
