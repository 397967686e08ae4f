// Stand-ins of real parts live in five folders, each held against the real part by a test, and nowhere else.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectText } from '../support/document-block.ts';
import { TEST_FOLDERS } from './houses.ts';

const PLACE = 'test/stand-ins';
const FOLDERS = ['account', 'broker', 'database', 'homebridge', 'service'];

const root = join(import.meta.dirname, '..', '..');
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'));

const NAMED_SO = /^(?:pretend|fake|mock|stub|stand-in)-|(?:fake|mock|stub|stand-in)\.ts$/u;
const CALLED_SO = /\b(?:class|interface) (?:Pretend|Fake|Mock|Stub|StandIn|Memory)[A-Z]\w*/gu;
/** A class for many tests that implements a port; a clock, and what Homebridge loads, replaces no part of ours. */
const IMPLEMENTING = /^export class \w+(?: extends \w+)? implements (?!Clock\b)\w+/gmu;

/** What stands in for a real part in a file outside of the place. */
function strays(path: string, text: string): readonly string[] {
  return [
    ...(NAMED_SO.test(basename(path)) ? [basename(path)] : []),
    ...[...text.matchAll(CALLED_SO), ...text.matchAll(IMPLEMENTING)].map(([found]) => found),
  ];
}

describe('stand-ins', () => {
  it('are five, and each has a test that holds it against the real part, which docs/develop/testing.md names', () => {
    const folders = readdirSync(join(root, PLACE));
    expect(folders.toSorted()).toEqual(FOLDERS);
    const page = projectText('docs/develop/testing.md');
    for (const folder of folders) {
      const tests = filesIn(join(PLACE, folder)).filter((path) => path.endsWith('.test.ts'));
      expect(tests).not.toEqual([]);
      expect(tests.filter((path) => !page.includes(basename(path)))).toEqual([]);
    }
  });

  it('are in no other folder', () => {
    const found = TEST_FOLDERS.flatMap((folder) => filesIn(folder))
      .filter((path) => !path.startsWith(`${PLACE}/`) && path !== 'test/architecture/stand-ins.test.ts')
      .flatMap((path) => strays(path, projectText(path)).map((what) => `${path}: ${what}`));
    expect(found).toEqual([]);
  });

  it('are found by the names of files and classes, and by what a class for many tests implements', () => {
    expect(strays('test/component/pretend-cloud.ts', '')).toEqual(['pretend-cloud.ts']);
    expect(strays('test/component/cloud.ts', 'class FakeCloud {}')).toEqual(['class FakeCloud']);
    expect(strays('test/component/cloud.ts', 'export class Cloud implements LockGateway {')).toEqual([
      'export class Cloud implements LockGateway',
    ]);
    expect(strays('test/support/hasty-clock.ts', 'export class HastyClock implements Clock {')).toEqual([]);
  });
});
