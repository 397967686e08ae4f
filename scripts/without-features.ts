// `npm run without-features`: a copy of the tree without one feature passes types and the tests of the core, and its program starts.
// For each feature in turn; with `-- NAME` for one. What is no test must not import the feature, but for the lists.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The lists that name the features. */
const LISTS = [
  'src/features/index.ts',
  'src/features/terminal.ts',
  'web/panel/features.ts',
  'web/panel/feature-readings.ts',
  'web/panel/panel.css',
] as const;

/** They hold documents, forms, translations and answers of the whole product to the code. */
const OF_THE_WHOLE = [
  'test/architecture/docs.test.ts',
  'test/architecture/operations.test.ts',
  'test/architecture/stand-ins.test.ts',
  'test/component/cli/documented-commands.test.ts',
  'test/component/cli/json-members.test.ts',
  'test/stand-ins/account/account.test.ts',
  'test/component/homekit/option-effects.test.ts',
  'test/unit/config/documents.test.ts',
  'test/unit/config/option-table.test.ts',
  'test/unit/deploy/deploy.test.ts',
  'test/unit/languages/languages.test.ts',
] as const;

/** Folders of a feature: its code, its pages, and its tests. */
const foldersOf = (name: string): readonly string[] => [
  `src/features/${name}`,
  `web/panel/${name}`,
  `test/unit/features/${name}`,
  `test/component/features/${name}`,
];

const TEST = /^(?:\w+\/)?test\//u;

const IMPORT = /(?:from |import\(|URL\()'(\.{1,2}\/[^']+\.tsx?)'/gu;

const named = process.argv.slice(2);
const features = readdirSync(join(root, 'src/features'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => named.length === 0 || named.includes(name));
if (features.length === 0) {
  throw new Error('There is no such feature.');
}
const failed = features.filter((name) => !standsWithout(name));
process.exitCode = failed.length === 0 ? 0 : 1;

function standsWithout(name: string): boolean {
  const copy = copyOfTree();
  try {
    for (const folder of foldersOf(name)) {
      rmSync(join(copy, folder), { recursive: true, force: true });
    }
    for (const file of OF_THE_WHOLE) {
      rmSync(join(copy, file));
    }
    for (const list of LISTS) {
      writeFileSync(join(copy, list), withoutFeature(readFileSync(join(copy, list), 'utf8'), name));
    }
    const { left, gone } = withoutImporters(copy, operationsOf(name));
    process.stdout.write(`Without ${name}: ${String(gone.length)} tests of it are left out.\n`);
    for (const line of left) {
      process.stdout.write(`  ${line} imports the feature\n`);
    }
    return left.length === 0 && checks(copy, name).every(Boolean);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Each is tried, so that one run shows every fault. */
function checks(copy: string, name: string): readonly boolean[] {
  writeFileSync(
    join(copy, 'web/tsconfig.core.json'),
    // Tests in a browser show all pages, those of features among them.
    JSON.stringify({ extends: './tsconfig.json', include: ['.', '../simulator/page'] }),
  );
  const help = run(
    copy,
    'the program says its commands',
    [process.execPath, 'src/start/cli.ts', '--help'],
    true,
  );
  const isNamed = new RegExp(`^ +${name} `, 'mu').test(help.output);
  if (isNamed) {
    process.stdout.write(`  the help still has "${name}"\n`);
  }
  return [
    help.isFine && !isNamed,
    run(copy, 'types', ['npx', 'tsc', '-p', 'tsconfig.json', '--incremental', 'false']).isFine,
    run(copy, 'types of the pages', ['npx', 'tsc', '-p', 'web/tsconfig.core.json', '--incremental', 'false'])
      .isFine,
    run(copy, 'the tests of the core', ['npx', 'vitest', 'run', '--project', 'fast', ...testsOf()]).isFine,
  ];
}

/** `FEATURE_TESTS`: some of the tests alone, while one tries a change. */
function testsOf(): readonly string[] {
  return (process.env['FEATURE_TESTS'] ?? '').split(' ').filter((path) => path !== '');
}

function run(
  copy: string,
  what: string,
  [program = '', ...words]: readonly string[],
  isQuiet = false,
): { readonly isFine: boolean; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: copy, encoding: 'utf8' });
  process.stdout.write(`  ${status === 0 ? 'ok  ' : 'FAULT'} ${what}\n`);
  if (status !== 0 && !isQuiet) {
    process.stdout.write(`${stdout}${stderr}\n`);
  }
  return { isFine: status === 0, output: stdout };
}

function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'latchkey-without-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** A list without what it imports from the feature, and without the lines or members that use it. */
function withoutFeature(list: string, name: string): string {
  const own = list.split('\n').filter((line) => /^@?import /u.test(line) && line.includes(`./${name}/`));
  const names = own.flatMap((line) =>
    [...(line.match(/\{(.*)\}/u)?.[1]?.matchAll(/\w+/gu) ?? [])].map(String),
  );
  return names.reduce(
    (text, used) => text.replaceAll(new RegExp(String.raw`\b${used}\b(?:\(\);)?,?`, 'gu'), ''),
    list
      .split('\n')
      .filter((line) => !own.includes(line))
      .join('\n'),
  );
}

/** The names of its operations, as tests write them. */
function operationsOf(name: string): readonly string[] {
  const list = join(root, 'src/features', name, 'panel/operations.ts');
  const text = existsSync(list) ? readFileSync(list, 'utf8') : '';
  return [...text.matchAll(/^ {2}('[a-z.-]+'): \w+\(/gmu)].map(([, operation = '']) => operation);
}

/** Removes every test that reaches what is gone, or calls it by name. `left`: what is no test and imports it. */
function withoutImporters(
  copy: string,
  operations: readonly string[],
): {
  readonly left: readonly string[];
  readonly gone: readonly string[];
} {
  const gone: string[] = [];
  for (;;) {
    const code = codeIn(copy);
    const broken = code.filter((file) => importsOf(copy, file).some((path) => isGone(copy, path)));
    // Stand-ins answer by name alone.
    const calling = code.filter(
      (file) => !file.startsWith('test/stand-ins/') && callsOne(join(copy, file), operations),
    );
    const tests = [...new Set([...broken, ...calling])].filter((file) => TEST.test(file));
    if (tests.length === 0) {
      return { left: broken, gone };
    }
    for (const file of tests) {
      rmSync(join(copy, file));
      gone.push(file);
    }
  }
}

function callsOne(file: string, operations: readonly string[]): boolean {
  const text = readFileSync(file, 'utf8');
  return operations.some((operation) => text.includes(operation));
}

/** Texts of scripts name files that never were. */
function isGone(copy: string, path: string): boolean {
  return !existsSync(join(copy, path)) && existsSync(join(root, path));
}

function importsOf(copy: string, file: string): readonly string[] {
  const text = readFileSync(join(copy, file), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, path = '']) => join(dirname(file), path));
}

function codeIn(copy: string): readonly string[] {
  return [
    'src',
    'web',
    'test',
    'scripts',
    'relay/src',
    'relay/test',
    'simulator/src',
    'simulator/test',
  ].flatMap((folder) =>
    readdirSync(join(copy, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/u.test(path) && !path.startsWith('architecture/planted'))
      .map((path) => join(folder, path)),
  );
}
