// Holds the documents to the tree: what each file is for, the lists in documents, the rows of faults and the tests that cite them.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { featureFindings } from '../../src/cli/doctor/feature-findings.ts';
import { CHECKS } from '../../src/cli/doctor/finding.ts';
import { LINK_STATES } from '../../src/domain/account/account.ts';
import { UNREADY_WORDS } from '../../src/serve/account-metrics.ts';
import { documentBlock, projectText } from '../support/document-block.ts';
import { SOURCE_FOLDERS, TEST_FOLDERS } from './houses.ts';

const root = join(import.meta.dirname, '..', '..');

/** Every TypeScript file under a folder of the project, by its path from the root. */
function sources(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .sort();
}

/** The rows of the only table in a text, as cells; head and rule left out. */
function rowsOf(table: string): readonly (readonly string[])[] {
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The comment that opens a file, up to the first line that ends a sentence; empty when it opens with something else. */
function openingSentence(text: string): string {
  const lines = text.replace(/^#!.*\n/, '').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('// '));
  const comment = lines.slice(0, end).map((line) => line.slice('// '.length));
  const last = comment.findIndex((line) => line.endsWith('.'));
  return comment.slice(0, last === -1 ? undefined : last + 1).join(' ');
}

it('every source file opens with a sentence that says what it is for', () => {
  const files = SOURCE_FOLDERS.flatMap((folder) => sources(folder));
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((path) => openingSentence(projectText(path)) === '')).toEqual([]);
});

describe('lists in documents', () => {
  const firstCells = (path: string, heading: string): string => {
    const text = projectText(path);
    const from = text.lastIndexOf('\n', text.indexOf(heading)) + 1;
    const [table = ''] = /(?:^\|.*\n)+/m.exec(text.slice(from)) ?? [];
    return rowsOf(table)
      .map(([first = '']) => first)
      .join(', ');
  };

  it('name every check of the doctor, and no other', () => {
    const listed = firstCells('docs/operate/command-line.md', '## The doctor').split(', ');
    const brought = featureFindings.all.flatMap(({ checks: names }) => names);
    const checks = [...Object.values(CHECKS), ...brought].map(({ text }) => text);
    // Named by a proper name, by the path of an option, or by a number.
    const others = ['node', 'MQTT', 'webhooks.port', 'panel.port', 'subscription key 1 and 2'];
    expect(checks.length).toBeGreaterThan(15);
    expect(listed.toSorted()).toEqual([...checks, ...others].toSorted());
  });

  it('name every word of readiness, and no other', () => {
    const listed = firstCells('docs/operate/serve.md', 'word of `/readyz`').replaceAll('`', '').split(', ');
    const linkStates = LINK_STATES.filter((state) => state !== 'linked');
    expect(listed.toSorted()).toEqual([...UNREADY_WORDS, ...linkStates, 'other-process'].toSorted());
  });

  it('name every document, once', () => {
    const index = projectText('docs/README.md');
    const named = [...index.matchAll(/\]\(((?:[\w-]+\/)?[\w-]+\.md)\)/g)].map(([, name]) => name);
    const documents = ['', 'operate', 'develop']
      .flatMap((shelf) =>
        readdirSync(join(root, 'docs', shelf))
          .filter((name) => name.endsWith('.md'))
          .map((name) => join(shelf, name)),
      )
      .filter((name) => name !== 'README.md');
    expect(named).toHaveLength(documents.length);
    expect(new Set(named)).toEqual(new Set(documents));
  });

  it('name every example of the simulator', () => {
    const examples = readdirSync(join(root, 'simulator/src/scenario/examples')).map((name) =>
      name.replace('.json', ''),
    );
    const text = projectText('simulator/README.md');
    expect(examples.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('docs/develop/architecture.md', () => {
  it('can be read in ten minutes: at most 2,000 words', () => {
    expect(projectText('docs/develop/architecture.md').split(/\s+/u).length).toBeLessThanOrEqual(2_000);
  });

  it('names files of src that exist', () => {
    const named = [
      ...documentBlock('docs/develop/architecture.md', 'read-first').matchAll(/`([\w/-]+\.tsx?)`/g),
    ];
    const missing = named
      .map(([, path = '']) => `src/${path}`)
      .filter((path) => !existsSync(join(root, path)));
    expect(named.length).toBeGreaterThanOrEqual(20);
    expect(missing).toEqual([]);
  });
});

describe('the lists of docs/develop/faults.md and docs/develop/known-limits.md', () => {
  const promised = rowsOf(projectText('docs/develop/faults.md')).map(([number = '']) => Number(number));
  const limits = rowsOf(documentBlock('docs/develop/known-limits.md', 'faults')).map(
    ([number = '', shown = '']) => ({
      number: Number(number),
      shown,
    }),
  );
  const cited = new Set(
    TEST_FOLDERS.flatMap((folder) => sources(folder)).flatMap((path) =>
      projectText(path)
        .split('\n')
        .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line))
        .flatMap((line) => [...line.matchAll(/faults#(\d+)/g)].map((match) => Number(match[1]))),
    ),
  );

  it('have each fault once', () => {
    expect(promised.length).toBeGreaterThanOrEqual(135);
    expect(promised).toEqual([...new Set(promised)]);
  });

  it('have every row that a test cites', () => {
    expect([...cited].filter((number) => !promised.includes(number))).toEqual([]);
  });

  it('have a test for every row that is not a known limit', () => {
    const excused = new Set(limits.map(({ number }) => number));
    expect(promised.filter((number) => !cited.has(number) && !excused.has(number))).toEqual([]);
  });

  it('have each limit once, of an existing row, as "in part" where a test cites it and as "not yet" elsewhere', () => {
    const numbers = limits.map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.filter((number) => !promised.includes(number))).toEqual([]);
    const wrong = limits.filter(({ number, shown }) => shown !== (cited.has(number) ? 'in part' : 'not yet'));
    expect(wrong).toEqual([]);
  });
});

describe('every decision record', () => {
  const records = readdirSync(join(root, 'docs', 'develop', 'decisions')).filter((path) =>
    /^\d{4}-(?!template)/.test(path),
  );

  it('says when it was decided', () => {
    const undated = records.filter(
      (path) =>
        !/^Status: (decided|replaced by \d{4}), \d{4}-\d{2}-\d{2}/m.test(
          projectText(`docs/develop/decisions/${path}`),
        ),
    );
    expect(undated).toEqual([]);
  });

  it('has a number of its own', () => {
    const numbers = records.map((path) => path.slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('is half a page, is listed in the README, and is one of at most twenty', () => {
    const list = projectText('docs/develop/decisions/README.md');
    expect(records.length).toBeLessThanOrEqual(20);
    expect(records.filter((path) => !list.includes(`](${path})`))).toEqual([]);
    const long = records.filter(
      (path) => projectText(`docs/develop/decisions/${path}`).split('\n').length > 36,
    );
    expect(long).toEqual([]);
  });
});

describe('every document', () => {
  const documents = [
    ...readdirSync(root).filter((path) => path.endsWith('.md')),
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => join('docs', path)),
    'simulator/PLAN.md',
    'simulator/README.md',
    'relay/PLAN.md',
    'relay/README.md',
    'relay/scale.md',
  ];

  it('links only to files of the project that exist', () => {
    const dead = documents.flatMap((document) =>
      [...projectText(document).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)|src(?:set)?="([^":]+)"/g)]
        .map(([, link, picture = '']) => join(dirname(document), link ?? picture))
        .filter((target) => !existsSync(join(root, target)))
        .map((target) => `${document} -> ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it('for readers is reached from the README by links', () => {
    const reached = new Set(['README.md']);
    for (const document of reached) {
      for (const [, target = ''] of projectText(document).matchAll(/\]\(([^)#:]+\.md)(?:#[^)]*)?\)/g)) {
        reached.add(join(dirname(document), target));
      }
    }
    const guides = documents.filter((document) =>
      /^docs\/(?:operate\/|develop\/)?[\w-]+\.md$/.test(document),
    );
    expect(guides).toContain(join('docs', 'operate', 'docker.md'));
    expect(guides.filter((document) => !reached.has(document))).toEqual([]);
  });

  it('names no file of src or test that does not exist', () => {
    const dead = documents.flatMap((document) =>
      [...projectText(document).matchAll(/`((?:src|test|scripts|docs|simulator|relay)\/[\w./-]+)`/g)]
        .map(([, path = '']) => path)
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${document} -> ${path}`),
    );
    expect(dead).toEqual([]);
  });
});
