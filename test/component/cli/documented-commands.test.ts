// Every command line that a document gives to type, taken apart by the real command line: it knows each command and option.
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../../src/cli/command-line.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { projectText } from '../../support/document-block.ts';
import { argumentsOf, blocksOf, DOCUMENTS, spansOf } from '../../support/document-code.ts';
import { terminalIn } from './terminal.ts';

type Program = ReturnType<typeof buildProgram>;

function everyCommand(program: Program): readonly Program[] {
  return [program, ...program.commands.flatMap(everyCommand)];
}

/** The command line without what its commands do. */
function withoutDeeds(complaints: string[]): Program {
  const { terminal } = terminalIn('/', systemClock);
  const writeErr = (text: string): void => {
    complaints.push(text.trim());
  };
  const program = buildProgram(terminal, { writeErr }, () => {});
  for (const command of everyCommand(program).filter(({ commands }) => commands.length === 0)) {
    command.action(() => {});
  }
  return program;
}

/** The objection of the command line to these words; empty when it accepts them. */
async function faultsOf(words: readonly string[]): Promise<readonly string[]> {
  const complaints: string[] = [];
  try {
    await withoutDeeds(complaints).parseAsync(words, { from: 'user' });
    return [];
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      throw error;
    }
    return error.exitCode === 0 ? [] : complaints;
  }
}

/** A sentence may name a group, such as `latchkey codes`, for all of its commands. */
function isGroup(words: readonly string[]): boolean {
  const [first, ...others] = words;
  const group = withoutDeeds([]).commands.find((command) => command.name() === first);
  return group !== undefined && group.commands.length > 0 && others.length === 0;
}

interface Typed {
  readonly document: string;
  readonly line: string;
  readonly words: readonly string[];
  /** Within a sentence, which may name a command without what it needs. */
  readonly isMention: boolean;
}

function commandsIn(document: string, lines: readonly string[], isMention: boolean): readonly Typed[] {
  return lines.flatMap((line) => {
    const words = argumentsOf(line.trim());
    return words === null || words.length === 0 ? [] : [{ document, line: line.trim(), words, isMention }];
  });
}

const inBlocks = DOCUMENTS.flatMap((document) =>
  commandsIn(
    document,
    blocksOf(document).flatMap(({ text }) => text.split('\n')),
    false,
  ),
);
const inSentences = DOCUMENTS.flatMap((document) => commandsIn(document, spansOf(document), true));
const typed = [...inBlocks, ...inSentences.filter(({ words }) => !isGroup(words))];

describe('a command in a document', () => {
  it.each(typed)('$document: $line', async ({ words, isMention }) => {
    const faults = await faultsOf(words);
    const isIncomplete = /^error: (?:required option|missing required argument)/u.test(faults[0] ?? '');
    expect(isMention && isIncomplete ? [] : faults).toEqual([]);
  });

  it('is found in the documents, and would be refused with an unknown word or option', async () => {
    expect(typed.length).toBeGreaterThan(60);
    expect(await faultsOf(['lokcs'])).not.toEqual([]);
    expect(await faultsOf(['locks', '--jsn'])).not.toEqual([]);
  });
});

describe('the table of commands', () => {
  const table =
    projectText('docs/operate/command-line.md').split('## Commands\n')[1]?.split('\n## ')[0] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));

  it('has every command of the program, and no other', () => {
    const named = rows.flatMap((row) => {
      const spans = [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/gu)].map(([, span = '']) => span);
      const known = new Set(withoutDeeds([]).commands.map((command) => command.name()));
      // In a row of a group, each span but the first may leave the group's name out.
      const [group = ''] = (spans[0] ?? '').split(' ');
      const words = spans.map((span) => span.split(' ')[0] ?? '');
      return words.filter((word) => known.has(word) || word === group);
    });
    expect([...new Set(named)].sort()).toEqual(
      withoutDeeds([])
        .commands.map((command) => command.name())
        .sort(),
    );
  });
});

describe('a block of commands', () => {
  /** Run from the first line to the last by tests of their own. */
  const RUN_WHOLE = new Map([
    ['docs/operate/serve.md', 'test/e2e/cli/serve-commands.test.ts'],
    ['docs/operate/mqtt.md', 'test/e2e/cli/broker-commands.test.ts'],
    ['docs/moving.md', 'test/e2e/cli/moving.test.ts'],
  ]);
  const runner = projectText('test/e2e/cli/document-commands.test.ts');
  const run = [...runner.matchAll(/linesOf\('([^']+)', '([^']+)'\)/gu)];
  const commands = /^(?:\$ )?(?:sudo|docker|git|npm|npx|curl|ssh|latchkey) /u;
  const blocks = DOCUMENTS.flatMap(blocksOf).filter(
    ({ language, text }) => language === 'sh' || (language === '' && commands.test(text)),
  );

  it.each(blocks)('at $place is run by a test, or says why not', ({ document, text, notRun }) => {
    const isRun = run.some(([, from, start = '']) => from === document && text.includes(start));
    const whole = RUN_WHOLE.get(document);
    const isRunWhole = whole !== undefined && projectText(whole).includes(document);
    expect([isRun, isRunWhole, notRun !== null]).toContain(true);
  });
});
