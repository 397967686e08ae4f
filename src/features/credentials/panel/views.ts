// Credentials of the credentialing interface as pages see them, and the operations on them.

import type { Message } from '../../../domain/language/message.ts';
import type { CredentialDraft } from '../policy/credential.ts';
import type { ImportChoices } from '../policy/import-plan-policy.ts';

declare module '../../../domain/account/service-check.ts' {
  interface ServiceCheck {
    /** Whether the credentialing interface answers and takes its login; left out where none is configured. */
    readonly credentialing?: Verdict;
  }
}

declare module '../../../panel/views/partner.ts' {
  interface PartnerView {
    /** The address of the credentialing interface; null, or left out, where there is none. */
    readonly credentialsUrl?: string | null;
  }
}

export interface CredentialView {
  readonly id: string;
  readonly userId: string;
  readonly mobileNumber: string;
  readonly kind: 'card' | 'raw';
  readonly cardFormat: string | null;
  readonly cardNumber: number | null;
  readonly facilityCode: number | null;
  readonly isDownloaded: boolean | null;
  readonly siteId: string | null;
  readonly siteName: string | null;
}

export interface CredentialListView {
  readonly credentials: readonly CredentialView[];
  /** Items of the service's list that could not be read. */
  readonly unreadable: number;
}

/** The effect of an import, or the reason why its file cannot be used. */
export interface ImportPlanView {
  /** Lines such as "line 3: userId is missing"; with any of them the answer has nothing else. */
  readonly faults: readonly Message[];
  readonly warnings: readonly Message[];
  readonly rows: number;
  readonly add: number;
  readonly unchanged: number;
  /** The service has another credential for the user. */
  readonly different: number;
  /** Credentials of the site at the service that the file does not name. */
  readonly missing: number;
  /** How long it takes under the limits, in milliseconds. */
  readonly expectedMs: number;
}

export interface ImportResultView {
  readonly line: number | null;
  readonly userId: string;
  readonly result: string;
  readonly reason: Message | null;
}

/** The import that runs, or ran last since this process began. */
export interface ImportView {
  readonly state: 'running' | 'finished' | 'stopped' | 'failed';
  readonly done: number;
  readonly total: number;
  /** How much longer it takes, in milliseconds. */
  readonly remainingMs: number;
  /** How long calls wait for their limit, in milliseconds; null while they are sent. */
  readonly waitMs: number | null;
  /** How many rows had each result. */
  readonly counts: Readonly<Record<string, number>>;
  /** Rows that failed or differ, the first of them. */
  readonly amiss: readonly ImportResultView[];
  /** Why it failed; null otherwise. */
  readonly message: Message | null;
}

export interface CredentialsView {
  /** Where the login of the interface comes from; null: there is none yet. */
  readonly loginFrom: 'config' | 'vault' | null;
  readonly import: ImportView | null;
}

export interface IssuedView {
  readonly id: string;
  readonly cardNumber: number | null;
  /** `issued`: it is new. `existing`: the user had it. `other`: the user has another one, and nothing was issued. */
  readonly outcome: 'issued' | 'existing' | 'other';
}

/**
 * Operations on credentials. Rejects with the errors of `support/errors.ts`: `bad-configuration` where no interface is
 * configured, `rate-limited` where a limit is used up for longer than a page should wait.
 */
export interface CredentialsApi {
  show(): Promise<CredentialsView>;
  login(login: { readonly username: string; readonly password: string }): Promise<CredentialsView>;
  list(): Promise<CredentialListView>;
  create(draft: CredentialDraft): Promise<IssuedView>;
  delete(id: string): Promise<void>;
  plan(file: string, choices: ImportChoices): Promise<ImportPlanView>;
  /** Begins an import; `show` reports its progress. Rejects with `bad-request` for a file with faults, or while one runs. */
  startImport(file: string, choices: ImportChoices): Promise<CredentialsView>;
  stopImport(): Promise<CredentialsView>;
}
