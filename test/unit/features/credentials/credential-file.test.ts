// Files of credentials: what spreadsheets write is read, what is wrong is named by line and field, and an export comes back the same.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeCredentialFile } from '../../../../src/features/credentials/import/credential-export.ts';
import { readCredentialFile } from '../../../../src/features/credentials/import/credential-file.ts';
import { type Credential, credentialId } from '../../../../src/features/credentials/policy/credential.ts';
import { matchesDraft } from '../../../../src/features/credentials/policy/credential-policy.ts';
import { csvLine, readCsv } from '../../../../src/support/text/csv.ts';
import { anyText } from '../../../support/any-text.ts';
import { CARD, USER } from '../../../support/credential-drafts.ts';
import { inWords } from '../../../support/in-words.ts';

const OTHER = '2b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c12';
const HEAD = 'userId,mobileNumber,cardFormat,facilityCode';

describe('a file of credentials', () => {
  it.each([
    ['commas', `${HEAD},siteId\n${USER},+15550100123,26A,12,7\n`],
    [
      'semicolons, a byte order mark and Windows line ends',
      `\uFEFF${HEAD.replaceAll(',', ';')};siteId\r\n${USER};+15550100123;26a;12;7\r\n`,
    ],
    [
      'tabs and quotes',
      `"userId"\tmobileNumber\tCARDFORMAT\tfacilityCode\tsiteId\n"${USER}"\t"+15550100123"\t26A\t12\t7`,
    ],
    [
      'a first line that names the separator',
      `sep=;\r\n${HEAD.replaceAll(',', ';')};siteId\r\n${USER};+15550100123;26A;12;7\r\n`,
    ],
    ['CR alone at the end of lines', `${HEAD},siteId\r${USER},+15550100123,26A,12,7\r`],
    ['attributes by name', `${HEAD},attributes.siteId\n\n${USER},+15550100123,26A,12,7\n`],
    [
      'JSON lines',
      JSON.stringify({
        userId: USER,
        mobileNumber: '+15550100123',
        cardFormat: '26A',
        facilityCode: 12,
        attributes: { siteId: 7 },
      }),
    ],
  ])('is read with %s', (_, text) => {
    const { rows, faults } = readCredentialFile(text);
    expect(faults).toEqual([]);
    expect(rows.map(({ draft }) => draft)).toEqual([CARD]);
  });

  it('gives the format 48X its only issue code, and accepts raw credentials', () => {
    const text = `userId,mobileNumber,cardFormat,facilityCode,rawCredential,bitLength\n${USER},+15550100123,48X,1,,\n${OTHER},+15550100124,,,1f00aa55c3,37\n`;
    const { rows, faults } = readCredentialFile(text);
    expect(faults).toEqual([]);
    expect(rows.map(({ draft }) => draft)).toMatchObject([
      { kind: 'card', issueCode: 20 },
      { kind: 'raw', rawCredential: '1f00aa55c3', bitLength: 37 },
    ]);
  });

  it.each([
    ['an empty file', '', 1, 'the file'],
    ['a heading alone', `${HEAD}\n`, 1, 'the file'],
    ['a column that is none', `${HEAD},colour\n${USER},1,26A,12,red\n`, 1, '"colour"'],
    ['a missing field', `${HEAD}\n${USER},,26A,12\n`, 2, 'mobileNumber'],
    ['a phone number that a spreadsheet shortened', `${HEAD}\n${USER},4.9E+12,26A,12\n`, 2, 'mobileNumber'],
    ['a facility beyond 8 bits', `${HEAD}\n${USER},+15550100123,26A,256\n`, 2, 'facilityCode'],
    ['a card beyond 16 bits', `${HEAD},cardNumber\n${USER},+15550100123,26A,255,65536\n`, 2, 'cardNumber'],
    ['a number that is none', `${HEAD}\n${USER},+15550100123,26A,twelve\n`, 2, 'facilityCode'],
    ['a quote that stays open', `${HEAD}\n"${USER},+15550100123,26A,12\n`, 2, 'the file'],
    ['a cell too many', `${HEAD}\n${USER},+15550100123,26A,12,7\n`, 2, 'the row'],
    [
      'a user twice',
      `${HEAD}\n${USER},+15550100123,26A,12\n${USER.toUpperCase()},+15550100124,26A,12\n`,
      3,
      'userId',
    ],
    [
      'a card number twice',
      `${HEAD},cardNumber\n${USER},+15550100123,26A,12,5\n${OTHER},+15550100124,26A,12,5\n`,
      3,
      'cardNumber',
    ],
    [
      'a card and raw bits at once',
      `${HEAD},rawCredential,bitLength\n${USER},+15550100123,26A,12,1f,8\n`,
      2,
      'cardFormat',
    ],
    [
      'raw bits that an export could not have',
      `userId,mobileNumber,payloadType\n${USER},+15550100123,Raw\n`,
      2,
      'rawCredential',
    ],
    ['JSON that is none', `{"userId":"${USER}"\n`, 1, 'the line'],
    ['a member that is none', `{"userId":"${USER}","colour":"red"}\n`, 1, 'colour'],
    ['a member that is a list', `{"userId":["${USER}"]}\n`, 1, 'userId'],
  ])('with %s is refused, by line and field', (_, text, line, field) => {
    const { faults } = readCredentialFile(text);
    expect(inWords(faults[0])).toMatchObject({ line, field });
    expect(JSON.stringify(faults)).not.toContain('15550100123');
  });

  it('has all its faults named, not only the first', () => {
    const { faults } = readCredentialFile(`${HEAD}\nx,,99,a\n${USER},+15550100123,26A,12\ny,1,26A,1\n`);
    expect(faults.map(({ line, field }) => `${line} ${String(inWords(field))}`)).toEqual([
      '2 userId',
      '2 mobileNumber',
      '2 cardFormat',
      '2 facilityCode',
      '4 userId',
    ]);
  });

  it('causes no exception, whatever it holds', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (text) => {
        for (const content of [text, `${HEAD}\n${text}`, `{${text}`]) {
          const { rows, faults } = readCredentialFile(content);
          expect(rows.length + faults.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});

const credentials = fc.uniqueArray(
  fc.record({
    id: fc.uuid().map(credentialId),
    kind: fc.constant('card' as const),
    userId: fc.uuid({ version: 4 }),
    mobileNumber: fc.stringMatching(/^\+[1-9]\d{6,12}$/),
    cardFormat: fc.constantFrom('26A', '34S', '37X'),
    cardNumber: fc.integer({ min: 1, max: 65_535 }),
    facilityCode: fc.nat(255),
    issueCode: fc.constant(0),
    isDownloaded: fc.boolean(),
    attributes: fc.dictionary(
      fc.stringMatching(/^[a-z]{1,8}$/).filter((name) => name !== '__proto__'),
      fc.stringMatching(/^['=+@-]?[a-z",;\n]{0,6}[a-z]$/),
    ),
    rawCredential: fc.constant(null),
    bitLength: fc.constant(null),
  }),
  { selector: ({ userId }) => userId.toLowerCase(), minLength: 1, maxLength: 8 },
);

it.each(['csv', 'jsonl'] as const)('an export as %s can be imported without a difference', (format) => {
  fc.assert(
    fc.property(credentials, (held: readonly Credential[]) => {
      const withoutBreaks = held.map((credential, index) =>
        Object.assign({}, credential, {
          cardNumber: index + 1,
          attributes: Object.fromEntries(
            Object.entries(credential.attributes).map(([name, text]) => [
              name,
              text.replaceAll('\n', ' ').trim(),
            ]),
          ),
        }),
      );
      const { rows, faults } = readCredentialFile(writeCredentialFile(withoutBreaks, format));
      expect(faults).toEqual([]);
      expect(rows.length).toBe(withoutBreaks.length);
      for (const [index, { draft }] of rows.entries()) {
        const credential = withoutBreaks[index];
        expect(credential !== undefined && matchesDraft(credential, draft)).toBe(true);
      }
    }),
  );
});

it('a written table is read back unchanged, quotes and line ends included', () => {
  const cells = fc.array(fc.string({ maxLength: 8 }), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(cells, { minLength: 1, maxLength: 6 }), (rows) => {
      const clean = rows.map((row) => ['head', ...row.map((cell) => cell.replaceAll(/[\r\uFEFF]/g, ''))]);
      const reading = readCsv(['head,head,head\n', ...clean.map((row) => `${csvLine(row)}\n`)].join(''));
      expect(reading.ok && reading.records.slice(1).map((record) => record.cells)).toEqual(clean);
    }),
  );
});
