// `latchkey credentials import`, `plan` and `export`: bulk import from a file and export to one.
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { CommonFlags } from '../../../cli/account/account-command.ts';
import type { DefineVerb } from '../../../cli/account/verb.ts';
import { EXIT_STATUS } from '../../../cli/terminal/exit-status.ts';
import { confirm } from '../../../cli/terminal/hidden-typing.ts';
import type { Output } from '../../../cli/terminal/terminal.ts';
import { FinalError, LatchkeyError, messageOf, systemCodeOf } from '../../../support/errors.ts';
import { writePrivately } from '../../../support/files/private-output.ts';
import { csvLine, harmlessCell } from '../../../support/text/csv.ts';
import { decodeText } from '../../../support/text/text-encoding.ts';
import { t } from '../../../words/translate.ts';
import { writeCredentialFile } from '../import/credential-export.ts';
import { type FileReading, readCredentialFile } from '../import/credential-file.ts';
import type { ImportResult } from '../import/import-progress.ts';
import { isOfSite } from '../policy/credential.ts';
import { callsOf, type ImportChoices, type ImportPlan } from '../policy/import-plan-policy.ts';
import type { CredentialingContext, CredentialingRun } from './context.ts';
import { fileSummary, lossLine, planLines, remarkLines, resultLine, summaryLine } from './lines.ts';
import { ProgressBar } from './progress-bar.ts';

interface ImportFlags extends CommonFlags {
  readonly replace?: boolean;
  readonly removeMissing?: boolean;
  readonly site?: string;
  readonly results?: string;
  readonly yes?: boolean;
}

interface ExportFlags extends CommonFlags {
  readonly site?: string;
  readonly format: 'csv' | 'jsonl';
}

const RESULT_COLUMNS = ['line', 'userId', 'result', 'credentialId', 'cardNumber', 'reason'] as const;

export function fileCommands(define: DefineVerb<CommonFlags, CredentialingContext>): readonly Command[] {
  const withChoices = (name: string, description: string, run: CredentialingRun<ImportFlags>): Command =>
    define(name, description, [['<file>', t('CSV with a heading, or one JSON object a line')]], run)
      .option('--replace', t('delete and issue again what differs from its row'))
      .option(
        '--remove-missing',
        t('delete what no row names; with {option}, of that site only', { option: '--site' }),
      )
      .option('--site <id>', t('the site that {option} is about', { option: '--remove-missing' }));
  return [
    withChoices('import', t('issue the credentials of a file'), runImport)
      .option('--results <file>', t('write a CSV file with the result of each row, too'))
      .option('--yes', t('do not ask before people lose access')),
    withChoices(
      'plan',
      t('show what an import would add, change and remove, and how long it takes'),
      runPlan,
    ),
    define(
      'export',
      t('write the credentials as a file that can be imported'),
      [['[file]', t('the file; printed if left out')]],
      runExport,
    )
      .option('--site <id>', t('those of one site'))
      .addOption(
        new Option('--format <format>', t('form of the file')).choices(['csv', 'jsonl']).default('csv'),
      ),
  ];
}

const runPlan: CredentialingRun<ImportFlags> = async (
  { credentialing, output, options },
  flags,
  [file = ''],
) => {
  const reading = readFile(file);
  if (!isUsable(reading, output)) {
    return EXIT_STATUS.misused;
  }
  const planned = await credentialing.importer.plan(reading.rows, choicesOf(flags), options);
  const { plan } = planned;
  const expectedMs = planned.expectedMs();
  const calls = Object.fromEntries(callsOf(plan));
  const rows = plan.rows.map(({ kind, row }) => ({ line: row.line, userId: row.draft.userId, step: kind }));
  const missing = plan.missing.map(({ id, userId }) => ({ credentialId: id, userId }));
  output.answer({ rows, missing, calls, expectedMs }, planLines(plan, expectedMs));
  return EXIT_STATUS.ok;
};

const runImport: CredentialingRun<ImportFlags> = async (context, flags, [file = '']) => {
  const { credentialing, output, terminal, options } = context;
  const reading = readFile(file);
  if (!isUsable(reading, output)) {
    return EXIT_STATUS.misused;
  }
  const planned = await credentialing.importer.planThroughOutages(reading.rows, choicesOf(flags), options);
  for (const line of planLines(planned.plan, planned.expectedMs())) {
    output.progress(line);
  }
  await assertWanted(planned.plan, flags, context);
  const bar = new ProgressBar(terminal, flags);
  const results: ImportResult[] = [];
  const onResult = (result: ImportResult): void => {
    results.push(result);
    bar.clear();
    if (flags.quiet !== true || isAmiss(result)) {
      output.answer(result, [resultLine(result)]);
    }
  };
  try {
    await planned.run({ onResult, onProgress: (progress) => bar.show(progress) }, terminal.stopped);
  } finally {
    bar.clear();
    await writeResults(flags.results, results);
    output.progress(summaryLine(countsOf(results)));
    if (results.length < planned.plan.rows.length && !output.json) {
      output.error(t('Not finished. Run the same command again: it goes on where it stopped.'));
    }
  }
  return results.some(isAmiss) ? EXIT_STATUS.failed : EXIT_STATUS.ok;
};

/** Taking credentials away is asked about, as `codes sync` asks. */
async function assertWanted(
  plan: ImportPlan,
  { yes = false }: ImportFlags,
  context: CredentialingContext,
): Promise<void> {
  const loss = lossLine(plan);
  if (loss === null) {
    return;
  }
  if (yes) {
    context.output.progress(loss);
    return;
  }
  const question = `${loss} ${t('Carry it out? Type {yes}:', { yes: 'yes' })}`;
  await confirm(context, question, t('Nothing was sent.'));
}

const runExport: CredentialingRun<ExportFlags> = async (
  { credentialing, output, terminal, options },
  { site, format },
  [file],
) => {
  const { credentials } = await credentialing.client.list(options);
  const chosen = credentials.filter((credential) => isOfSite(credential, site ?? null));
  const text = writeCredentialFile(chosen, format);
  if (file === undefined) {
    terminal.print(text);
  } else {
    await writeTo(file, text);
  }
  output.progress(
    t('{count} credentials. They hold telephone numbers: keep the file to yourself.', {
      count: chosen.length,
    }),
  );
  return EXIT_STATUS.ok;
};

function choicesOf({ replace = false, removeMissing = false, site }: ImportFlags): ImportChoices {
  return { replace, removeMissing, site: site ?? null };
}

/** Reports all faults of the file before anything is sent. */
function isUsable(reading: FileReading, output: Output): boolean {
  for (const line of remarkLines(reading.faults)) {
    output.error(line);
  }
  if (reading.faults.length > 0) {
    output.error(fileSummary(reading));
    return false;
  }
  for (const line of remarkLines(reading.warnings)) {
    output.progress(t('Note: {remark}', { remark: line }));
  }
  return true;
}

function readFile(file: string): FileReading {
  try {
    return readCredentialFile(decodeText(readFileSync(file)));
  } catch (error) {
    if (error instanceof LatchkeyError) {
      throw new FinalError('bad-request', `${t('Nothing was sent.')} ${messageOf(error)}`);
    }
    const message = t('Nothing was sent: {file} cannot be read ({code}).', {
      file,
      code: systemCodeOf(error) ?? 'unknown',
    });
    throw new FinalError('bad-request', message, { cause: error });
  }
}

async function writeResults(file: string | undefined, results: readonly ImportResult[]): Promise<void> {
  if (file !== undefined) {
    const rows = results
      .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
      .map((result) => RESULT_COLUMNS.map((column) => cellText(result[column])));
    const lines = [[...RESULT_COLUMNS], ...rows].map((cells) => `${csvLine(cells.map(harmlessCell))}\n`);
    await writeTo(file, lines.join(''));
  }
}

function cellText(value: ImportResult[keyof ImportResult]): string {
  return typeof value === 'object' && value !== null ? t(value) : String(value ?? '');
}

/** Files written by an export or an import hold telephone numbers. */
async function writeTo(file: string, text: string): Promise<void> {
  await writePrivately({ file, kind: 'replace' }, (write) => write(text));
}

function isAmiss({ result }: ImportResult): boolean {
  return result === 'failed' || result === 'different';
}

function countsOf(results: readonly ImportResult[]): ReadonlyMap<ImportResult['result'], number> {
  const groups = Map.groupBy(results, ({ result }) => result);
  return new Map([...groups].map(([result, all]) => [result, all.length]));
}
