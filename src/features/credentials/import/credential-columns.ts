// The columns of a credential file, and one record of it as texts.
import type { Message } from '../../../domain/language/message.ts';

export const ATTRIBUTE_PREFIX = 'attributes.';

/** Table columns that are separate attributes (wire contract 8). */
const SITE_COLUMNS = ['siteId', 'siteName'] as const;

export const CARD_COLUMNS = ['cardFormat', 'facilityCode', 'issueCode', 'cardNumber'] as const;
export const RAW_COLUMNS = ['rawCredential', 'bitLength'] as const;

/** Export-only columns, ignored by an import. */
const SHOWN_COLUMNS = ['payloadType', 'credentialId', 'isDownloaded'] as const;

export const COLUMNS: readonly string[] = [
  'userId',
  'mobileNumber',
  ...CARD_COLUMNS,
  ...SITE_COLUMNS,
  ...RAW_COLUMNS,
  ...SHOWN_COLUMNS,
];

/** A remark on a line of the file. Never repeats a value. */
export interface LineRemark {
  readonly line: number;
  /** The name of a column; a message where it is none. */
  readonly field: string | Message;
  /** Follows the field: "is empty". */
  readonly problem: Message;
}

export interface Fields {
  readonly line: number;
  readonly values: ReadonlyMap<string, string>;
  /** A member that no table column can hold. */
  readonly fault: LineRemark | null;
}

/** The column of a heading, in any letter case; null for an unknown heading. */
export function columnOf(heading: string): string | null {
  const known = COLUMNS.find((column) => column.toLowerCase() === heading.toLowerCase());
  const isAttribute = heading.startsWith(ATTRIBUTE_PREFIX) && heading.length > ATTRIBUTE_PREFIX.length;
  return known ?? (isAttribute ? heading : null);
}

export function isSiteColumn(name: string): boolean {
  return SITE_COLUMNS.some((column) => column === name);
}
