// Completion in real shells: each command's own options, and the values that are known.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/support/clock.ts';
import { begin } from './terminal.ts';

/** A line up to the cursor, what completion offers there, and what it must not offer. */
const LINES: readonly (readonly [line: string, offered: readonly string[], missing: readonly string[]])[] = [
  ['', ['watch', 'codes', 'goodbye'], ['add', '--json']],
  ['webhooks ', ['status', 'list', 'register', 'remove', 'test'], []],
  ['webhooks status --', ['--address', '--json'], []],
  ['webhooks test --', ['--json'], ['--address']],
  ['codes add --', ['--json'], ['--rename', '--match']],
  ['codes update --', ['--rename'], ['--match']],
  ['codes sync --', ['--match'], ['--rename']],
  ['history --', ['--person', '--since'], []],
  ['relay cluster --', [], ['--generation']],
  ['credentials no-tour ', ['save', 'delete'], []],
  ['credentials no-tour save --', ['--lock'], ['--bits']],
  ['serve --log-format ', ['text', 'json'], ['--json']],
  ['credentials export --format ', ['csv', 'jsonl'], []],
  ['codes sync --match ', ['exact', 'prefix'], []],
  ['completion ', ['bash', 'zsh', 'fish'], []],
];

/** Whether a file completes what is typed. */
const FILES: readonly (readonly [string, boolean])[] = [
  ['codes sync', true],
  ['credentials import', true],
  ['credentials import --results', true],
  ['history --export', true],
  ['serve --config', true],
  ['restore', true],
  ['backup', true],
  ['lock', false],
  ['codes add', false],
  ['history --person', false],
  ['guests remove', false],
];

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).error === undefined;

/** The script of a shell in a folder of its own. */
function scripted(shell: string) {
  const place = { folder: '' };
  beforeAll(async () => {
    place.folder = mkdtempSync(join(tmpdir(), 'latchkey-shell-'));
    const { out } = await begin(place, ['completion', shell], systemClock).ended;
    writeFileSync(join(place.folder, 'script'), out);
  });
  afterAll(() => {
    rmSync(place.folder, { recursive: true, force: true });
  });
  return (...args: readonly string[]) => spawnSync(shell, args, { encoding: 'utf8', cwd: place.folder });
}

/** Where the answers to the lines lack a word, or have one too many. */
function faultsOf(answers: readonly string[]): readonly string[] {
  const offers = answers.map((answer) => answer.split(/\s+/u));
  return LINES.flatMap(([line, offered, missing], at) =>
    [
      ...offered.filter((word) => offers[at]?.includes(word) !== true).map((word) => `no ${word}`),
      ...missing.filter((word) => offers[at]?.includes(word) === true).map((word) => `offers ${word}`),
    ].map((fault) => `${line}: ${fault}`),
  );
}

describe.skipIf(!isThere('bash'))('bash', () => {
  const run = scripted('bash');

  /** Asks as bash does, with the word at the cursor last. */
  const ask = (line: string): string => {
    const words = `latchkey ${line}`.split(' ').map((word) => `'${word}'`);
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _latchkey; echo "= \${COMPREPLY[@]}"`;
  };

  it('offers the options of the command itself, and known values', () => {
    const { stdout, stderr } = run('-c', ['source ./script', ...LINES.map(([line]) => ask(line))].join('\n'));
    expect(stderr).toBe('');
    expect(faultsOf(stdout.split(/^= /mu).slice(1))).toEqual([]);
  });

  it('completes what is begun, and leaves the value of an option to its default, which is a file', () => {
    const asked = ['wa', 'history --per', 'history --export ', 'serve --log-format = js'];
    const { stdout } = run('-c', ['source ./script', ...asked.map(ask)].join('\n'));
    expect(stdout.trimEnd().split('\n')).toEqual(['= watch', '= --person', '= ', '= json']);
  });
});

describe.skipIf(!isThere('fish'))('fish', () => {
  const run = scripted('fish');
  const complete = (lines: readonly string[]): readonly string[] => {
    const asked = lines.map((line) => `echo "= "; complete -C 'latchkey ${line}'`);
    const { stdout, stderr } = run('--no-config', '-c', ['source script', ...asked].join('\n'));
    expect(stderr).toBe('');
    return stdout.split(/^= $/mu).slice(1);
  };

  it('offers the options of the command itself, and known values', () => {
    expect(faultsOf(complete(LINES.map(([line]) => line)))).toEqual([]);
  });

  it('completes files where a file is meant', () => {
    const answers = complete(FILES.map(([line]) => `${line} `));
    expect(FILES.map(([line], at) => [line, /^script$/mu.test(answers[at] ?? '')])).toEqual(FILES);
  });
});

describe.skipIf(!isThere('zsh'))('zsh', () => {
  const run = scripted('zsh');

  /** Its completion system needs a terminal: what that is asked for is printed instead. */
  const specsOf = (lines: readonly string[]): readonly string[][] => {
    const asked = lines.map((line) => {
      const words = ['latchkey', ...line.split(' ')].map((word) => `'${word}'`);
      return `echo "= "; words=(${words.join(' ')}); CURRENT=${words.length}; source ./script`;
    });
    const { stdout, stderr } = run('-f', '-c', ['_arguments() { print -rl -- "$@" }', ...asked].join('\n'));
    expect(stderr).toBe('');
    return stdout
      .split(/^= $/mu)
      .slice(1)
      .map((answer) => answer.trim().split('\n'));
  };

  it('offers the options of the command itself, and known values', () => {
    const specs = specsOf(LINES.map(([line]) => line));
    const answers = LINES.map(([line], at) => {
      const [, option] = /(--\S+) $/u.exec(line) ?? [];
      const given = specs[at] ?? [];
      const relevant =
        option === undefined
          ? given.filter((spec) => spec.startsWith('--') === line.endsWith('--'))
          : given.filter((spec) => spec.startsWith(`${option}[`));
      return relevant
        .map((spec) =>
          option === undefined && spec.startsWith('--')
            ? spec.split('[')[0]
            : spec.replace(/^[^(]*\(+|\)+$/gu, ' ').replaceAll(/\\:(?:\\.|[^\s\\])*/gu, ''),
        )
        .join(' ');
    });
    expect(faultsOf(answers)).toEqual([]);
  });

  it('completes files where a file is meant', () => {
    const all = specsOf(FILES.map(([line]) => `${line} `));
    const files = FILES.map(([line], at) => {
      const last = line.split(' ').at(-1) ?? '';
      const start = last.startsWith('--') ? `${last}[` : '*:';
      return [line, all[at]?.find((spec) => spec.startsWith(start))?.includes('_files')];
    });
    expect(files).toEqual(FILES);
  });
});
