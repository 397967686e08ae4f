// Every operation of the panel has a caller: a page, the terminal, or a process beside the owner.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operationNames } from '../../src/panel/operations/panel-api.ts';
import { projectText } from '../support/document-block.ts';

const NAMES = operationNames();
const root = join(import.meta.dirname, '..', '..');
const DEFINED_IN = 'src/panel/operations/';

/** Without a caller by name, each with its reason. */
const EXCEPT: readonly string[] = [
  // Asks the service each time, past the archive: tests of races and of a dead service need that. No page calls it.
  'history',
];

const code = ['src', 'web']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((path) => /\.tsx?$/u.test(path) && !path.startsWith(DEFINED_IN))
  .map((path) => projectText(path).replaceAll(/\/\*[^]*?\*\/|\/\/.*/gu, ''))
  .join('\n');

/** Asked for by its name: `call('codes.list')`, `operations.locks`; a name of two words stands for itself anywhere. */
function isCalled(name: string): boolean {
  const literal = `['"]${name.replaceAll('.', String.raw`\.`)}['"]`;
  const asked = String.raw`\b(?:call|ask|change|read|one)\w*\((?:'\w+', )?\s*${literal}`;
  const member = String.raw`operations(?:\.${name}\b|\[${literal}\])`;
  const anywhere = /[.-]/u.test(name) ? `|${literal}` : '';
  return new RegExp(`${asked}|${member}${anywhere}`, 'u').test(code);
}

it('every operation has a caller outside of the list', () => {
  expect(NAMES.length).toBeGreaterThan(70);
  expect(NAMES.filter((name) => !isCalled(name))).toEqual(EXCEPT);
});

it('an operation that nobody calls is seen', () => {
  expect(isCalled('codes.forgotten')).toBe(false);
  expect(isCalled('forgotten')).toBe(false);
});
