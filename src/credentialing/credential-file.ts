// Files of credentials, CSV or JSON lines: read and checked whole before anything is sent, and written so that they can be read again.
import { type Credential, type CredentialDraft, userKey } from '../domain/credential.ts';
import { draftFaults, draftWarnings } from '../domain/credential-policy.ts';
import type { ImportRow } from '../domain/import-plan-policy.ts';
import { isObject } from '../support/foreign-json.ts';
import { oneLine } from '../support/log.ts';
import { csvLine, readCsv } from './csv.ts';

/** Something to say of a line of the file. Never repeats a value. */
export interface LineRemark {
  readonly line: number;
  readonly field: string;
  readonly problem: string;
}

export interface FileReading {
  /** What can be imported: everything when there are no faults. */
  readonly rows: readonly ImportRow[];
  readonly faults: readonly LineRemark[];
  readonly warnings: readonly LineRemark[];
}

export type FileFormat = 'csv' | 'jsonl';

/** Most rows of one file (our choice): at 100 a minute they take almost a day. */
const MAX_ROWS = 100_000;

const ATTRIBUTE_PREFIX = 'attributes.';

/** Columns of a table that are attributes of their own accord (wire contract 8). */
const SITE_COLUMNS = ['siteId', 'siteName'] as const;

const CARD_COLUMNS = ['cardFormat', 'facilityCode', 'issueCode', 'cardNumber'] as const;
const RAW_COLUMNS = ['rawCredential', 'bitLength'] as const;

/** What an export writes beside a draft, and an import does not read. */
const SHOWN_COLUMNS = ['payloadType', 'credentialId', 'isDownloaded'] as const;

const COLUMNS: readonly string[] = [
  'userId',
  'mobileNumber',
  ...CARD_COLUMNS,
  ...SITE_COLUMNS,
  ...RAW_COLUMNS,
  ...SHOWN_COLUMNS,
];

/** The issue code of 48X where a row leaves it out, and that of every other format (wire contract 11). */
const ISSUE_CODE_48X = 20;

/** One record of either format, as texts by column. */
interface Fields {
  readonly line: number;
  readonly values: ReadonlyMap<string, string>;
  /** A member that no column of a table could hold. */
  readonly fault: LineRemark | null;
}

/** Reads a file. A first character that opens an object means JSON lines. Never throws. */
export function readCredentialFile(text: string): FileReading {
  const records = /^\s*\{/.test(text) ? readJsonLines(text) : readTable(text);
  if ('fault' in records) {
    return { rows: [], faults: [records.fault], warnings: [] };
  }
  if (records.length === 0 || records.length > MAX_ROWS) {
    const problem = records.length === 0 ? 'holds no credentials' : `holds more than ${MAX_ROWS} credentials`;
    return { rows: [], faults: [{ line: 1, field: 'file', problem }], warnings: [] };
  }
  const readings = records.map(readRow);
  const rows = readings.flatMap(({ row }) => (row === null ? [] : [row]));
  return {
    rows,
    faults: [...readings.flatMap(({ faults }) => faults), ...duplicates(rows)].toSorted(
      (one, other) => one.line - other.line,
    ),
    warnings: rows.flatMap(({ line, draft }) => draftWarnings(draft).map((remark) => ({ line, ...remark }))),
  };
}

/** Credentials as a file that can be imported; raw ones only as far as the service shows their bits. */
export function writeCredentialFile(credentials: readonly Credential[], format: FileFormat): string {
  if (format === 'jsonl') {
    return credentials.map((credential) => `${JSON.stringify(exported(credential))}\n`).join('');
  }
  const attributes = [
    ...new Set(credentials.flatMap((credential) => Object.keys(credential.attributes))),
  ].toSorted();
  const heads = attributes.map((name) =>
    SITE_COLUMNS.some((column) => column === name) ? name : `${ATTRIBUTE_PREFIX}${name}`,
  );
  const columns = COLUMNS.filter((column) => !SITE_COLUMNS.some((site) => site === column));
  const lines = credentials.map((credential) => {
    const values = new Map(Object.entries(exported(credential)));
    return [
      ...columns.map((column) => String(values.get(column) ?? '')),
      ...attributes.map((name) => credential.attributes[name] ?? ''),
    ];
  });
  return [[...columns, ...heads], ...lines].map((cells) => `${csvLine(cells)}\n`).join('');
}

/** In the service's own members, null left out. */
function exported({ id, kind, ...rest }: Credential): Readonly<Record<string, unknown>> {
  const members = { ...rest, payloadType: kind === 'raw' ? 'Raw' : 'Basic', credentialId: id };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function readTable(text: string): readonly Fields[] | { readonly fault: LineRemark } {
  const table = readCsv(text);
  if (!table.ok) {
    return { fault: { line: table.line, field: 'file', problem: 'has a quote that is never closed' } };
  }
  const [head, ...records] = table.records;
  if (head === undefined) {
    return [];
  }
  const columns = head.cells.map((cell) => columnOf(cell.trim()));
  const unknown = columns.findIndex((column) => column === null);
  if (unknown !== -1) {
    const name = oneLine(head.cells[unknown] ?? '');
    const problem = `is not a column; there are ${COLUMNS.join(', ')} and ${ATTRIBUTE_PREFIX}NAME`;
    return { fault: { line: head.line, field: name === '' ? 'an empty heading' : `"${name}"`, problem } };
  }
  return records.map(({ line, cells }) => ({
    line,
    values: new Map(
      columns.flatMap((column, index) => {
        const cell = cells[index]?.trim() ?? '';
        return column === null || cell === '' ? [] : [[column, cell] as const];
      }),
    ),
    fault:
      cells.length > columns.length
        ? { line, field: 'row', problem: 'has more cells than the table has columns' }
        : null,
  }));
}

/** The column of a heading, in any letter case; null when it is none. */
function columnOf(heading: string): string | null {
  const known = COLUMNS.find((column) => column.toLowerCase() === heading.toLowerCase());
  const isAttribute = heading.startsWith(ATTRIBUTE_PREFIX) && heading.length > ATTRIBUTE_PREFIX.length;
  return known ?? (isAttribute ? heading : null);
}

function readJsonLines(text: string): readonly Fields[] {
  return text.split(/\r?\n/).flatMap((content, index) => {
    const line = index + 1;
    return content.trim() === '' ? [] : [{ line, ...jsonFields(content, line) }];
  });
}

function jsonFields(content: string, line: number): Omit<Fields, 'line'> {
  const none = new Map<string, string>();
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return { values: none, fault: { line, field: 'line', problem: 'is not JSON' } };
  }
  if (!isObject(value)) {
    return { values: none, fault: { line, field: 'line', problem: 'is not a JSON object' } };
  }
  const { attributes: given, ...members } = value;
  const attributes = given ?? {};
  const entries = [
    ...Object.entries(members),
    ...(isObject(attributes)
      ? Object.entries(attributes).map(([name, text]) => [`${ATTRIBUTE_PREFIX}${name}`, text] as const)
      : [['attributes', null] as const]),
  ];
  const strange = entries.find(([name, text]) => columnOf(name) === null || !isPlain(text));
  return strange === undefined
    ? {
        values: new Map(
          entries.flatMap(([name, text]) => (text === null ? [] : [[columnOf(name) ?? name, String(text)]])),
        ),
        fault: null,
      }
    : {
        values: none,
        fault: {
          line,
          field: oneLine(strange[0]),
          problem: 'is not a member that is known, or is neither text nor number',
        },
      };
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function readRow({ line, values, fault }: Fields): {
  readonly row: ImportRow | null;
  readonly faults: readonly LineRemark[];
} {
  if (fault !== null) {
    return { row: null, faults: [fault] };
  }
  const isRaw = values.has('rawCredential') || /^raw$/i.test(values.get('payloadType') ?? '');
  const mixed = isRaw
    ? CARD_COLUMNS.find((column) => values.has(column))
    : RAW_COLUMNS.find((column) => values.has(column));
  if (mixed !== undefined) {
    const problem = 'does not go with the rest: a row is a card or a raw credential';
    return { row: null, faults: [{ line, field: mixed, problem }] };
  }
  const draft = isRaw ? rawDraft(values) : cardDraft(values);
  const faults = draftFaults(draft).map(({ field, problem }) => ({
    line,
    field,
    problem: values.has(field) || field.startsWith(ATTRIBUTE_PREFIX) ? problem : missingWords(problem),
  }));
  return { row: faults.length === 0 ? { line, draft } : null, faults };
}

function missingWords(problem: string): string {
  return problem === 'is empty' ? 'is missing' : `is missing; it ${problem}`;
}

function cardDraft(values: Fields['values']): CredentialDraft {
  const cardFormat = values.get('cardFormat')?.toUpperCase() ?? '';
  const usualIssueCode = cardFormat === '48X' ? ISSUE_CODE_48X : 0;
  return {
    kind: 'card',
    ...holderOf(values),
    cardFormat,
    facilityCode: numberOf(values.get('facilityCode')),
    issueCode: values.has('issueCode') ? numberOf(values.get('issueCode')) : usualIssueCode,
    cardNumber: values.has('cardNumber') ? numberOf(values.get('cardNumber')) : null,
    attributes: attributesOf(values),
  };
}

function rawDraft(values: Fields['values']): CredentialDraft {
  return {
    kind: 'raw',
    ...holderOf(values),
    rawCredential: values.get('rawCredential') ?? '',
    bitLength: numberOf(values.get('bitLength')),
  };
}

function holderOf(values: Fields['values']): { readonly userId: string; readonly mobileNumber: string } {
  return { userId: values.get('userId') ?? '', mobileNumber: values.get('mobileNumber') ?? '' };
}

function attributesOf(values: Fields['values']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...values].flatMap(([column, value]) => {
      const isSite = SITE_COLUMNS.some((site) => site === column);
      const name = column.startsWith(ATTRIBUTE_PREFIX) ? column.slice(ATTRIBUTE_PREFIX.length) : null;
      return isSite ? [[column, value]] : name === null ? [] : [[name, value]];
    }),
  );
}

/** Not a number for anything that is not written as digits alone. */
function numberOf(text: string | undefined): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

function duplicates(rows: readonly ImportRow[]): readonly LineRemark[] {
  const keys = rows.map(({ draft }) => ({
    userId: userKey(draft.userId),
    cardNumber:
      draft.kind === 'card' && draft.cardNumber !== null
        ? `${draft.cardFormat}/${draft.facilityCode}/${draft.cardNumber}`
        : null,
  }));
  return (['userId', 'cardNumber'] as const).flatMap((field) => {
    const firstLines = new Map<string, number>();
    return rows.flatMap(({ line }, index) => {
      const key = keys[index]?.[field] ?? null;
      const first = key === null ? undefined : firstLines.get(key);
      if (key !== null && first === undefined) {
        firstLines.set(key, line);
      }
      return first === undefined ? [] : [{ line, field, problem: `is the same as on line ${first}` }];
    });
  });
}
