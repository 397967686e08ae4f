// Holds the text of the whole project to rules that no linter knows: the calls of tests, the commands for people.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectText } from '../support/document-block.ts';
import { SOURCE_FOLDERS, TEST_FOLDERS } from './houses.ts';

const root = join(import.meta.dirname, '..', '..');
const self = 'test/architecture/project-text.test.ts';

/** Folders that are made or installed here, and are no files of the project. */
const MADE_HERE = new Set(['.git', 'node_modules', 'dist', 'coverage', '.stryker', '.latchkey', 'shots']);

/** Every file of the project below a folder, by its path from the root. */
function filesIn(folder = ''): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !MADE_HERE.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    });
}

/** The text files under a folder of the project, by their paths from the root. */
function textsIn(folder: string): readonly string[] {
  return (
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:tsx?|js|json|md|html|css|ya?ml)$/.test(path))
      .map((path) => join(folder, path))
      // Below test/ui and test/versions, other packages are installed.
      .filter((path) => path !== self && !path.includes('node_modules'))
  );
}

describe('npm test', () => {
  it('calls no registry, but for the suites that it leaves out', () => {
    const asking = TEST_FOLDERS.flatMap((folder) => textsIn(folder))
      .filter((path) => !/^test\/(?:calendars|registry|ui|versions)\//.test(path))
      // This file serves `npm run test:ui` and `npm run test:versions`.
      .filter((path) => path !== 'test/harness/install-beside.ts')
      .filter((path) => /\(\s*'(?:npm|npx)',(?!\s*\['pack', '--ignore-scripts')/.test(projectText(path)));
    expect(asking).toEqual([]);
  });
});

describe('the command that people are asked to type', () => {
  it('is never `npx latchkey`, which would fetch and run a foreign package', () => {
    const documents = readdirSync(root).filter((path) => /\.(?:md|json)$/.test(path));
    const texts = [
      ...documents,
      ...['src', 'web', 'docs', 'test', 'simulator', 'relay', 'scripts', '.github'].flatMap(textsIn),
    ];
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter((path) => /\bnpx (?:-\S+ )*latchkey\b/.test(projectText(path)))).toEqual([]);
  });

  it('is one of the two names under which npm installs it, and the package has the first', () => {
    const { name, bin } = JSON.parse(projectText('package.json')) as { name: string; bin: object };
    expect(Object.keys(bin)).toEqual([name, 'latchkey']);
  });
});

describe('the workflows', () => {
  it('take each action by its hash, with the version beside it, so that a moved tag changes nothing', () => {
    const uses = textsIn('.github/workflows').flatMap((path) => projectText(path).match(/uses: .*/g) ?? []);
    expect(uses.length).toBeGreaterThan(15);
    expect(uses.filter((line) => !/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it('publish the tarball that was tested: the job that may publish builds nothing, and trusts no cache', () => {
    const [tested = '', published = ''] = projectText('.github/workflows/release.yml').split('  publish:\n');
    expect(tested).toContain('npm pack --pack-destination release');
    expect(published).toContain('npm publish ./release/*.tgz --provenance');
    expect(published).not.toMatch(/npm (?:ci|install|run|pack)/);
    expect(projectText('.github/workflows/release.yml')).not.toMatch(/cache: npm/);
  });
});

describe('a file of the project', () => {
  it('names no registry: every installation has its own, and npm knows its default', () => {
    const texts = filesIn().filter((path) => !/\.(?:png|webp)$/.test(path));
    expect(texts).toEqual(expect.arrayContaining(['package-lock.json', '.github/workflows/release.yml']));
    const host =
      /registry\.(?:npmjs|yarnpkg|npmmirror)\b|npm\.pkg\.github|"resolved": "https?:|registry-url|:\/\/[^\s/"'`]*registry[^\s/"'`]*\.\w/;
    expect(texts.filter((path) => path !== self && host.test(projectText(path)))).toEqual([]);
  });
});

describe('a text for people', () => {
  it('has no name of a type in a sentence: a rename over all files once put one there (faults#121)', () => {
    const sources = SOURCE_FOLDERS.flatMap((folder) => textsIn(folder)).filter((path) =>
      /\.tsx?$/.test(path),
    );
    const types = sources.flatMap((path) =>
      [...projectText(path).matchAll(/^export (?:class|interface|type) ((?:[A-Z][a-z]+){2,})\b/gm)].map(
        ([, name = '']) => name,
      ),
    );
    expect(types).toContain('SendGuard');
    const sentence = new RegExp(`['"\`>](?:[^'"\`<>]* )?(?:${types.join('|')}) [a-z]+[ ,.][^'"\`<>]*['"\`<]`);
    const hits = sources.flatMap((path) =>
      projectText(path)
        .split('\n')
        .filter((line) => sentence.test(line) && !/^\s*(?:\/\/|\*|import|export)/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(hits).toEqual([]);
  });
});
