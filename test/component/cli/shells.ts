// What completion offers in real shells, for the lines that a test names: each command's own options, and the values that are known.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/support/clock.ts';
import { begin } from './terminal.ts';

/** A line up to the cursor, what completion offers there, and what it must not offer. */
export type OfferedLine = readonly [line: string, offered: readonly string[], missing: readonly string[]];

/** Whether a file completes what is typed. */
export type FileLine = readonly [string, boolean];

export const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).error === undefined;

/** The script of a shell in a folder of its own. */
export function scripted(shell: string) {
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
function faultsOf(lines: readonly OfferedLine[], answers: readonly string[]): readonly string[] {
  const offers = answers.map((answer) => answer.split(/\s+/u));
  return lines.flatMap(([line, offered, missing], at) =>
    [
      ...offered.filter((word) => offers[at]?.includes(word) !== true).map((word) => `no ${word}`),
      ...missing.filter((word) => offers[at]?.includes(word) === true).map((word) => `offers ${word}`),
    ].map((fault) => `${line}: ${fault}`),
  );
}

/** Asks as bash does, with the word at the cursor last. */
export const askBash = (line: string): string => {
  const words = `latchkey ${line}`.split(' ').map((word) => `'${word}'`);
  return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _latchkey; echo "= \${COMPREPLY[@]}"`;
};

/** A suite for each shell that is there. */
export function completesInShells(lines: readonly OfferedLine[], files: readonly FileLine[]): void {
  inBash(lines);
  inFish(lines, files);
  inZsh(lines, files);
}

function inBash(lines: readonly OfferedLine[]): void {
  describe.skipIf(!isThere('bash'))('bash', () => {
    const run = scripted('bash');

    it('offers the options of the command itself, and known values', () => {
      const { stdout, stderr } = run(
        '-c',
        ['source ./script', ...lines.map(([line]) => askBash(line))].join('\n'),
      );
      expect(stderr).toBe('');
      expect(faultsOf(lines, stdout.split(/^= /mu).slice(1))).toEqual([]);
    });
  });
}

function inFish(lines: readonly OfferedLine[], files: readonly FileLine[]): void {
  describe.skipIf(!isThere('fish'))('fish', () => {
    const run = scripted('fish');
    const complete = (typed: readonly string[]): readonly string[] => {
      const asked = typed.map((line) => `echo "= "; complete -C 'latchkey ${line}'`);
      const { stdout, stderr } = run('--no-config', '-c', ['source script', ...asked].join('\n'));
      expect(stderr).toBe('');
      return stdout.split(/^= $/mu).slice(1);
    };

    it('offers the options of the command itself, and known values', () => {
      expect(faultsOf(lines, complete(lines.map(([line]) => line)))).toEqual([]);
    });

    it('completes files where a file is meant', () => {
      const answers = complete(files.map(([line]) => `${line} `));
      expect(files.map(([line], at) => [line, /^script$/mu.test(answers[at] ?? '')])).toEqual(files);
    });
  });
}

function inZsh(lines: readonly OfferedLine[], files: readonly FileLine[]): void {
  describe.skipIf(!isThere('zsh'))('zsh', () => {
    const run = scripted('zsh');

    /** Its completion system needs a terminal: what that is asked for is printed instead. */
    const specsOf = (typed: readonly string[]): readonly string[][] => {
      const asked = typed.map((line) => {
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
      const specs = specsOf(lines.map(([line]) => line));
      const answers = lines.map(([line], at) => {
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
      expect(faultsOf(lines, answers)).toEqual([]);
    });

    it('completes files where a file is meant', () => {
      const all = specsOf(files.map(([line]) => `${line} `));
      const found = files.map(([line], at) => {
        const last = line.split(' ').at(-1) ?? '';
        const start = last.startsWith('--') ? `${last}[` : '*:';
        return [line, all[at]?.find((spec) => spec.startsWith(start))?.includes('_files')];
      });
      expect(found).toEqual(files);
    });
  });
}
