// Writes credentials as a file that can be imported again.

import { csvLine, harmlessCell } from '../../../support/text/csv.ts';
import type { Credential } from '../policy/credential.ts';
import { ATTRIBUTE_PREFIX, COLUMNS, isSiteColumn } from './credential-columns.ts';

export type FileFormat = 'csv' | 'jsonl';

/** Raw credentials include their bits only if the service returns them. */
export function writeCredentialFile(credentials: readonly Credential[], format: FileFormat): string {
  if (format === 'jsonl') {
    return credentials.map((credential) => `${JSON.stringify(exported(credential))}\n`).join('');
  }
  const attributes = [
    ...new Set(credentials.flatMap((credential) => Object.keys(credential.attributes))),
  ].toSorted();
  const heads = attributes.map((name) => (isSiteColumn(name) ? name : `${ATTRIBUTE_PREFIX}${name}`));
  const columns = COLUMNS.filter((column) => !isSiteColumn(column));
  const lines = credentials.map((credential) => {
    const values = new Map(Object.entries(exported(credential)));
    return [
      ...columns.map((column) => cellOf(values.get(column))),
      ...attributes.map((name) => credential.attributes[name] ?? ''),
    ];
  });
  return [[...columns, ...heads], ...lines].map((cells) => `${csvLine(cells.map(harmlessCell))}\n`).join('');
}

/** The object for the file, with the service's own member names, without nulls. */
function exported({ id, kind, ...rest }: Credential): Readonly<Record<string, unknown>> {
  const members = { ...rest, payloadType: kind === 'raw' ? 'Raw' : 'Basic', credentialId: id };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function cellOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}
