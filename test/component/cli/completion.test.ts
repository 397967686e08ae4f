// Completion in real shells: each command's own options, and the values that are known.
import { describe, expect, it } from 'vitest';
import { askBash, completesInShells, type FileLine, isThere, type OfferedLine, scripted } from './shells.ts';

const LINES: readonly OfferedLine[] = [
  ['', ['watch', 'codes', 'goodbye'], ['add', '--json']],
  ['webhooks ', ['status', 'list', 'register', 'remove', 'test'], []],
  ['webhooks status --', ['--address', '--json'], []],
  ['webhooks test --', ['--json'], ['--address']],
  ['codes add --', ['--json'], ['--rename', '--match']],
  ['codes update --', ['--rename'], ['--match']],
  ['codes sync --', ['--match'], ['--rename']],
  ['history --', ['--person', '--since'], []],
  ['relay cluster --', [], ['--generation']],
  ['serve --log-format ', ['text', 'json'], ['--json']],
  ['codes sync --match ', ['exact', 'prefix'], []],
  ['completion ', ['bash', 'zsh', 'fish'], []],
];

const FILES: readonly FileLine[] = [
  ['codes sync', true],
  ['history --export', true],
  ['serve --config', true],
  ['restore', true],
  ['backup', true],
  ['lock', false],
  ['codes add', false],
  ['history --person', false],
  ['guests remove', false],
];

completesInShells(LINES, FILES);

describe.skipIf(!isThere('bash'))('bash, with a word that is begun', () => {
  const run = scripted('bash');

  it('completes what is begun, and leaves the value of an option to its default, which is a file', () => {
    const asked = ['wa', 'history --per', 'history --export ', 'serve --log-format = js'];
    const { stdout } = run('-c', ['source ./script', ...asked.map(askBash)].join('\n'));
    expect(stdout.trimEnd().split('\n')).toEqual(['= watch', '= --person', '= ', '= json']);
  });
});
