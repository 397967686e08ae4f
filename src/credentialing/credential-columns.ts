// The columns of a file of credentials, and one record of it as texts.

export const ATTRIBUTE_PREFIX = 'attributes.';

/** Columns of a table that are attributes of their own accord (wire contract 8). */
const SITE_COLUMNS = ['siteId', 'siteName'] as const;

export const CARD_COLUMNS = ['cardFormat', 'facilityCode', 'issueCode', 'cardNumber'] as const;
export const RAW_COLUMNS = ['rawCredential', 'bitLength'] as const;

/** What an export writes beside a draft, and an import does not read. */
const SHOWN_COLUMNS = ['payloadType', 'credentialId', 'isDownloaded'] as const;

export const COLUMNS: readonly string[] = [
  'userId',
  'mobileNumber',
  ...CARD_COLUMNS,
  ...SITE_COLUMNS,
  ...RAW_COLUMNS,
  ...SHOWN_COLUMNS,
];

/** Something to say of a line of the file. Never repeats a value. */
export interface LineRemark {
  readonly line: number;
  readonly field: string;
  readonly problem: string;
}

/** One record of either format, as texts by column. */
export interface Fields {
  readonly line: number;
  readonly values: ReadonlyMap<string, string>;
  /** A member that no column of a table could hold. */
  readonly fault: LineRemark | null;
}

/** The column of a heading, in any letter case; null when it is none. */
export function columnOf(heading: string): string | null {
  const known = COLUMNS.find((column) => column.toLowerCase() === heading.toLowerCase());
  const isAttribute = heading.startsWith(ATTRIBUTE_PREFIX) && heading.length > ATTRIBUTE_PREFIX.length;
  return known ?? (isAttribute ? heading : null);
}

/** Whether a column is an attribute of its own accord. */
export function isSiteColumn(name: string): boolean {
  return SITE_COLUMNS.some((column) => column === name);
}
