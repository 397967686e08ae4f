// Shows that every gate can go red: plants one violation for each in a copy of the tree and runs the gate on it.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Planting {
  readonly violation: string;
  /** The npm script that must notice it. */
  readonly gate: string;
  readonly file: string;
  readonly content: string | ((before: string) => string);
  /** What the gate must say, so that it is not red for another reason. */
  readonly says: RegExp;
}

const plantings: readonly Planting[] = [
  {
    violation: 'a line that is not formatted',
    gate: 'format:check',
    file: 'src/support/planted.ts',
    content: 'export  const planted = "x"',
    says: /planted\.ts/,
  },
  {
    violation: 'an `any`',
    gate: 'lint',
    file: 'src/support/planted.ts',
    content: 'export const planted: any = 1;\n',
    says: /no-explicit-any/,
  },
  {
    violation: 'a promise that nobody waits for',
    gate: 'lint',
    file: 'src/support/planted.ts',
    content: 'export function planted(work: () => Promise<void>): void {\n  work();\n}\n',
    says: /no-floating-promises/,
  },
  {
    violation: 'a timer that no test can move',
    gate: 'lint',
    file: 'src/engine/planted.ts',
    content: 'export const planted = (): unknown => setTimeout(() => {}, 1);\n',
    says: /injected Clock/,
  },
  {
    violation: 'a domain that looks at the clock',
    gate: 'lint',
    file: 'src/domain/planted.ts',
    content: 'export const planted = (): Date => new Date();\n',
    says: /no-restricted-globals/,
  },
  {
    violation: 'a wrong type',
    gate: 'types',
    file: 'src/support/planted.ts',
    content: "export const planted: number = 'x';\n",
    says: /TS2322/,
  },
  {
    violation: 'a domain that knows Node',
    gate: 'types',
    file: 'src/domain/planted.ts',
    content: 'export const planted = process.pid;\n',
    says: /domain\/planted\.ts.*process/,
  },
  {
    violation: 'a room that imports a forbidden one',
    gate: 'layers',
    file: 'src/domain/planted.ts',
    content: "export type { Clock as Planted } from '../support/clock.ts';\n",
    says: /support\\?" is not for this room/,
  },
  {
    violation: 'code that nobody uses',
    gate: 'dead',
    file: 'src/support/planted.ts',
    content: 'export const planted = 1;\n',
    says: /planted\.ts/,
  },
  {
    violation: 'a file in the tarball that is not on its list',
    gate: 'test:package',
    file: 'assets/planted.txt',
    content: 'planted\n',
    says: /planted\.txt/,
  },
  {
    violation: 'an entry that the tarball does not hold',
    gate: 'package',
    file: 'package.json',
    content: (before) => before.replaceAll('dist/index.js', 'dist/nowhere.js'),
    says: /nowhere\.js/,
  },
];

const root = join(import.meta.dirname, '..');

/** The tracked files, and node_modules by a link. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'latchkey-gates-'));
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  for (const path of tracked.filter((one) => one !== '' && existsSync(join(root, one)))) {
    cpSync(join(root, path), join(copy, path));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
  // The formatter asks git which files to leave out.
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
  return copy;
}

function gateOn(copy: string, gate: string): { readonly isGreen: boolean; readonly said: string } {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', gate], {
    cwd: copy,
    encoding: 'utf8',
  });
  return { isGreen: status === 0, said: `${stdout}${stderr}` };
}

function prove(copy: string, { gate, file, content, says }: Planting): string {
  const path = join(copy, file);
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : content(before));
  const { isGreen, said } = gateOn(copy, gate);
  if (before === '') {
    rmSync(path);
  } else {
    writeFileSync(path, before);
  }
  if (isGreen) {
    return 'NOT NOTICED';
  }
  return says.test(said) ? 'red' : `red, but it does not say ${says}:\n${said}`;
}

const copy = copyTree();
try {
  let proven = 0;
  for (const gate of new Set(plantings.map((planting) => planting.gate))) {
    const { isGreen, said } = gateOn(copy, gate);
    if (!isGreen) {
      console.log(`${gate} is red before anything is planted:\n${said}`);
    }
    for (const planting of plantings.filter((one) => one.gate === gate)) {
      const outcome = prove(copy, planting);
      proven += isGreen && outcome === 'red' ? 1 : 0;
      console.log(`${gate.padEnd(14)} ${planting.violation}: ${outcome}`);
    }
  }
  console.log(`${proven} of ${plantings.length} planted violations were noticed`);
  process.exitCode = proven === plantings.length ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
