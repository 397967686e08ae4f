// Reads a credential file, CSV or JSON lines, and checks it completely before anything is sent.

import { type Message, message } from '../../../domain/language/message.ts';
import { type CredentialDraft, userKey } from '../policy/credential.ts';
import { draftFaults, draftWarnings } from '../policy/credential-policy.ts';
import type { ImportRow } from '../policy/import-plan-policy.ts';
import {
  ATTRIBUTE_PREFIX,
  CARD_COLUMNS,
  type Fields,
  isSiteColumn,
  type LineRemark,
  RAW_COLUMNS,
} from './credential-columns.ts';
import { readJsonLines, readTable } from './credential-records.ts';

export interface FileReading {
  /** The importable rows: all of them when there are no faults. */
  readonly rows: readonly ImportRow[];
  readonly faults: readonly LineRemark[];
  readonly warnings: readonly LineRemark[];
}

/** Row limit of one file (our choice): at 100 a minute they take almost a day. */
const MAX_ROWS = 100_000;

/** A long number as spreadsheets show it: `4.9E+12`. */
const SHORTENED = /^[+-]?\d+(?:[.,]\d+)?E\+\d+$/i;

/** Default issue codes of 48X and of every other format (wire contract 11). */
const ISSUE_CODE_48X = 20;

/** Reads a file. An opening brace as its first character means JSON lines. Never throws. */
export function readCredentialFile(text: string): FileReading {
  const records = /^\s*\{/.test(text) ? readJsonLines(text) : readTable(text);
  if ('fault' in records) {
    return { rows: [], faults: [records.fault], warnings: [] };
  }
  if (records.length === 0 || records.length > MAX_ROWS) {
    const problem =
      records.length === 0
        ? message('holds no credentials')
        : message('holds more than {most} credentials', { most: MAX_ROWS });
    return { rows: [], faults: [{ line: 1, field: message('the file'), problem }], warnings: [] };
  }
  const readings = records.map(readRow);
  const rows = readings.flatMap(({ row }) => (row === null ? [] : [row]));
  return {
    rows,
    faults: [...readings.flatMap(({ faults }) => faults), ...duplicates(rows)].toSorted(
      (one, other) => one.line - other.line,
    ),
    warnings: rows.flatMap(({ line, draft }) =>
      draftWarnings(draft).map(({ field, problem }) => ({ line, field, problem })),
    ),
  };
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
    const problem = message('does not go with the rest: a row is a card or a raw credential');
    return { row: null, faults: [{ line, field: mixed, problem }] };
  }
  const shortened = [...values].filter(([, value]) => SHORTENED.test(value));
  if (shortened.length > 0) {
    const problem = message(
      'was shortened by a spreadsheet, so its last digits are lost. Make the column text there, and enter the number again',
    );
    return { row: null, faults: shortened.map(([field]) => ({ line, field, problem })) };
  }
  const draft = isRaw ? rawDraft(values) : cardDraft(values);
  const faults = draftFaults(draft).map(({ field, problem }) => ({
    line,
    field,
    problem: values.has(field) || field.startsWith(ATTRIBUTE_PREFIX) ? problem : missingWords(problem),
  }));
  return { row: faults.length === 0 ? { line, draft } : null, faults };
}

function missingWords(problem: Message): Message {
  return problem.text === 'is empty'
    ? message('is missing')
    : message('is missing; it {problem}', { problem });
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
      const name = column.startsWith(ATTRIBUTE_PREFIX) ? column.slice(ATTRIBUTE_PREFIX.length) : null;
      return isSiteColumn(column) ? [[column, value]] : name === null ? [] : [[name, value]];
    }),
  );
}

/** NaN unless the text consists of digits alone. */
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
      return first === undefined
        ? []
        : [{ line, field, problem: message('is the same as on line {line}', { line: first }) }];
    });
  });
}
