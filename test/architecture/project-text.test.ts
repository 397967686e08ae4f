// Holds the text of the whole project to rules that no linter knows: what tests ask, what people are asked to type.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectText } from '../support/document-block.ts';

const root = join(import.meta.dirname, '..', '..');
const self = 'test/architecture/project-text.test.ts';

/** The text files under a folder of the project, by their paths from the root. */
function textsIn(folder: string): readonly string[] {
  return (
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:tsx?|js|json|md|html|css|ya?ml)$/.test(path))
      .map((path) => join(folder, path))
      // `npm run test:ui` installs the Homebridge UI below test/ui.
      .filter((path) => path !== self && !path.includes('node_modules'))
  );
}

describe('npm test', () => {
  it('asks no registry: only test/registry and test/ui may, which it leaves out', () => {
    const asking = textsIn('test')
      .filter((path) => !/^test\/(?:registry|ui)\//.test(path))
      .filter((path) => /\(\s*'(?:npm|npx)',(?!\s*\['pack', '--ignore-scripts')/.test(projectText(path)));
    expect(asking).toEqual([]);
  });
});

describe('the command that people are asked to type', () => {
  it('is never `npx latchkey`: that would fetch and run a package of somebody else', () => {
    const documents = readdirSync(root).filter((path) => /\.(?:md|json)$/.test(path));
    const texts = [...documents, ...['src', 'web', 'docs', 'test', 'scripts', '.github'].flatMap(textsIn)];
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter((path) => /\bnpx (?:-\S+ )*latchkey\b/.test(projectText(path)))).toEqual([]);
  });

  it('is one of the two names under which npm installs it, and the package has the first', () => {
    const { name, bin } = JSON.parse(projectText('package.json')) as { name: string; bin: object };
    expect(Object.keys(bin)).toEqual([name, 'latchkey']);
  });
});

describe('what people read', () => {
  it('has no name of a type in a sentence: a rename over all files once put one there (faults#121)', () => {
    const sources = ['src', 'web'].flatMap(textsIn).filter((path) => /\.tsx?$/.test(path));
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
