// Plans an import of credentials: compares the file with the service by user, before anything is changed.
import {
  type Credential,
  type CredentialDraft,
  type CredentialOperation,
  isOfSite,
  userKey,
} from './credential.ts';
import { matchesDraft } from './credential-policy.ts';

export interface ImportRow {
  /** The line of the file, counted from 1. */
  readonly line: number;
  readonly draft: CredentialDraft;
}

/** Changes that an import may make beyond adding. */
export interface ImportChoices {
  /** Delete and reissue credentials that differ from their row. */
  readonly replace: boolean;
  /** Delete credentials that the file does not name. */
  readonly removeMissing: boolean;
  /** Only credentials of this site may be deleted as missing; null for all. */
  readonly site: string | null;
}

export type RowStep =
  | { readonly kind: 'add'; readonly row: ImportRow }
  | { readonly kind: 'keep'; readonly row: ImportRow; readonly credential: Credential }
  /** The service has a different credential for this user. */
  | { readonly kind: 'change'; readonly row: ImportRow; readonly existing: readonly Credential[] };

export interface ImportPlan {
  readonly choices: ImportChoices;
  /** One for each row, in the order of the file. */
  readonly rows: readonly RowStep[];
  /** Credentials of the site at the service that no row names. */
  readonly missing: readonly Credential[];
}

export function planImport(
  rows: readonly ImportRow[],
  credentials: readonly Credential[],
  choices: ImportChoices,
): ImportPlan {
  const byUser = Map.groupBy(credentials, ({ userId }) => userKey(userId));
  const named = new Set(rows.map(({ draft }) => userKey(draft.userId)));
  return {
    choices,
    rows: rows.map((row) => stepOf(row, byUser.get(userKey(row.draft.userId)) ?? [])),
    missing: credentials.filter(
      (credential) => !named.has(userKey(credential.userId)) && isOfSite(credential, choices.site),
    ),
  };
}

function stepOf(row: ImportRow, existing: readonly Credential[]): RowStep {
  if (existing.length === 0) {
    return { kind: 'add', row };
  }
  const [credential, second] = existing;
  const isSame = credential !== undefined && second === undefined && matchesDraft(credential, row.draft);
  return isSame ? { kind: 'keep', row, credential } : { kind: 'change', row, existing };
}

/** The steps in order of execution: deletions come first, since they may free a card number. */
export function stepsToDo({ choices, rows, missing }: ImportPlan): {
  readonly removals: readonly Credential[];
  readonly changes: readonly Extract<RowStep, { kind: 'change' }>[];
  readonly additions: readonly Extract<RowStep, { kind: 'add' }>[];
} {
  return {
    removals: choices.removeMissing ? missing : [],
    changes: choices.replace ? rows.filter((step) => step.kind === 'change') : [],
    additions: rows.filter((step) => step.kind === 'add'),
  };
}

export function callsOf(plan: ImportPlan): ReadonlyMap<CredentialOperation, number> {
  const { removals, changes, additions } = stepsToDo(plan);
  const creates = [...changes, ...additions];
  const raw = creates.filter(({ row }) => row.draft.kind === 'raw').length;
  const deletes = removals.length + changes.reduce((sum, { existing }) => sum + existing.length, 0);
  const counts: readonly (readonly [CredentialOperation, number])[] = [
    ['create', creates.length - raw],
    ['create-raw', raw],
    ['delete', deletes],
  ];
  return new Map(counts.filter(([, count]) => count > 0));
}
