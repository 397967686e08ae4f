// Credentials for the pages of one account: quick answers, and one import at a time that continues in the background.

import type { FeatureAccount, OpenFeature } from '../../../app/features.ts';
import type { ServiceCheck } from '../../../domain/account/service-check.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import { FinalError, WaitError } from '../../../support/errors.ts';
import type { FileReading } from '../import/credential-file.ts';
import type { PlannedImport } from '../import/credential-import.ts';
import type {
  CredentialListView,
  CredentialsApi,
  CredentialsView,
  CredentialView,
  ImportPlanView,
  IssuedView,
} from '../panel/views.ts';
import { type Credential, type CredentialDraft, credentialId, SITE_ATTRIBUTE } from '../policy/credential.ts';
import type { ImportChoices } from '../policy/import-plan-policy.ts';
import type { Credentialing } from './credentialing.ts';
import { ImportJob } from './import-job.ts';
import { type InterfaceConfig, interfaceIn } from './options.ts';

/** A page does not wait for a window to reset, in milliseconds (our choice). */
const QUICK = { longestWaitMs: 3_000 } as const;

/** Remarks on a file that a page shows. */
const MAX_REMARKS = 20;

export class AccountCredentials implements CredentialsApi, OpenFeature {
  readonly #account: FeatureAccount;
  readonly #credentialing: LazyCredentialing;
  #job: ImportJob | null = null;

  constructor(account: FeatureAccount) {
    this.#account = account;
    this.#credentialing = new LazyCredentialing(account);
  }

  async show(): Promise<CredentialsView> {
    const { loginFrom } = await this.#open();
    return { loginFrom, import: this.#job?.view() ?? null };
  }

  async login(pair: { readonly username: string; readonly password: string }): Promise<CredentialsView> {
    await (await this.#open()).login(pair, QUICK);
    return this.show();
  }

  async list(): Promise<CredentialListView> {
    const { credentials, unreadable } = await (await this.#open()).client.list(QUICK);
    return { credentials: credentials.map(viewOf), unreadable };
  }

  async create(draft: CredentialDraft): Promise<IssuedView> {
    const { clock } = this.#account;
    const result = await (await this.#open()).issuer.issue(draft, 0, QUICK);
    switch (result.kind) {
      case 'issued':
        return { id: result.id, cardNumber: result.cardNumber, outcome: 'issued' };
      case 'existing': {
        const { id, cardNumber } = result.credential;
        return { id, cardNumber, outcome: result.matches ? 'existing' : 'other' };
      }
      case 'later':
        throw new WaitError(
          'rate-limited',
          message(
            'The service may still be issuing this credential. Try again then: nothing is issued twice.',
          ),
          result.at - clock.now(),
        );
    }
  }

  async delete(id: string): Promise<void> {
    await (await this.#open()).client.delete(credentialId(id), QUICK);
  }

  async plan(file: string, choices: ImportChoices): Promise<ImportPlanView> {
    const { rows, faults, warnings } = await readFile(file);
    const remarks = (all: typeof faults): readonly Message[] =>
      all.slice(0, MAX_REMARKS).map((remark) => message('line {line}: {field} {problem}', { ...remark }));
    const read = { faults: remarks(faults), warnings: remarks(warnings), rows: rows.length };
    if (faults.length > 0) {
      return { ...read, add: 0, unchanged: 0, different: 0, missing: 0, expectedMs: 0 };
    }
    const planned = await (await this.#open()).importer.plan(rows, choices, QUICK);
    const count = (kind: string): number => planned.plan.rows.filter((step) => step.kind === kind).length;
    return {
      ...read,
      add: count('add'),
      unchanged: count('keep'),
      different: count('change'),
      missing: planned.plan.missing.length,
      expectedMs: planned.expectedMs(),
    };
  }

  async startImport(file: string, choices: ImportChoices): Promise<CredentialsView> {
    if (this.#job?.isRunning === true) {
      throw new FinalError('bad-request', message('An import runs already. Wait for its end, or stop it.'));
    }
    const { rows, faults } = await readFile(file);
    if (faults.length > 0) {
      throw new FinalError(
        'bad-request',
        message('Nothing was sent: the file has faults. Correct them, then try again.'),
      );
    }
    const planned: PlannedImport = await (await this.#open()).importer.plan(rows, choices, QUICK);
    this.#job = new ImportJob(planned, this.#account);
    return this.show();
  }

  async stopImport(): Promise<CredentialsView> {
    this.#job?.stop();
    return this.show();
  }

  /** The interface is checked where one is configured. */
  async check(): Promise<Partial<ServiceCheck>> {
    return this.#credentialing.isConfigured ? { credentialing: await (await this.#open()).check() } : {};
  }

  /** Stops an import; a restart resumes where it stopped. */
  async close(): Promise<void> {
    this.#job?.stop();
    await this.#credentialing.close();
    await this.#job?.ended;
  }

  async #open(): Promise<Credentialing> {
    return this.#credentialing.open();
  }
}

async function readFile(file: string): Promise<FileReading> {
  const { readCredentialFile } = await import('../import/credential-file.ts');
  return readCredentialFile(file);
}

/** Leaves out the bits of a raw credential and codes without meaning to a person, which no page shows. */
function viewOf(credential: Credential): CredentialView {
  const { id, userId, mobileNumber, kind, cardFormat, cardNumber, facilityCode, isDownloaded } = credential;
  return {
    id,
    userId,
    mobileNumber,
    kind,
    cardFormat,
    cardNumber,
    facilityCode,
    isDownloaded,
    siteId: credential.attributes[SITE_ATTRIBUTE] ?? null,
    siteName: credential.attributes['siteName'] ?? null,
  };
}

class LazyCredentialing {
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
