// Reads every import of a source tree, type-only ones included, and lists those that the table of modules forbids.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { MODULE_FOLDERS } from './houses.ts';
import type { Module } from './modules.ts';

interface Import {
  readonly from: string;
  /** The file for an import inside the tree, else the package or `node:` module as written. */
  readonly to: string;
  readonly isLocal: boolean;
  readonly isTypeOnly: boolean;
}

/** The files of the houses under `<baseFolder>`, their imports, and the paths that run in a circle. */
export interface ImportGraph {
  readonly files: readonly string[];
  readonly imports: readonly Import[];
  readonly cycles: readonly string[];
}

/** Reads the trees under `<baseFolder>`. */
export async function readImports(baseFolder: string): Promise<ImportGraph> {
  const { output } = await cruise(
    MODULE_FOLDERS.filter((folder) => existsSync(join(baseFolder, folder))),
    {
      baseDir: baseFolder,
      parser: 'swc',
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      validate: true,
      ruleSet: { forbidden: [{ name: 'cycle', severity: 'error', from: {}, to: { circular: true } }] },
    },
  );
  if (typeof output === 'string') {
    throw new TypeError('The import graph came as text, not as data');
  }
  const own = output.modules.filter(({ source }) => OWN.test(source) && source.endsWith('.ts'));
  return {
    files: own.map(({ source }) => source),
    imports: own.flatMap(({ source, dependencies }) =>
      dependencies.map(({ module, resolved, dependencyTypes }) => ({
        from: source,
        to: module.startsWith('.') ? resolved : `${dependencyTypes.includes('core') ? 'node:' : ''}${module}`,
        isLocal: module.startsWith('.'),
        isTypeOnly: dependencyTypes.includes('type-only'),
      })),
    ),
    cycles: output.summary.violations.map(({ cycle = [] }) => cycle.map(({ name }) => name).join(' -> ')),
  };
}

/** One line for each import that the table forbids. */
export function forbiddenImports(graph: ImportGraph, modules: Readonly<Record<string, Module>>): string[] {
  return graph.imports.flatMap((found) => {
    const module = moduleOf(found.from);
    const allowed = modules[module];
    if (!allowed) {
      return [`${found.from}: the module "${module}" is not in the table`];
    }
    const reason = found.isLocal ? localFault(found, module, allowed) : packageFault(found, allowed);
    return reason === undefined ? [] : [`${found.from} (${module}) imports ${found.to}: ${reason}`];
  });
}

/** One line for each import from a folder of a module to another one that the table of its folders forbids. */
export function forbiddenInside(
  graph: ImportGraph,
  rooms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
): string[] {
  return graph.imports.flatMap(({ from, to, isLocal }) => {
    const table = rooms[moduleOf(from)];
    if (!isLocal || table === undefined || moduleOf(to) !== moduleOf(from)) {
      return [];
    }
    const [room, target] = [roomOf(from), roomOf(to)];
    return room === target || table[room]?.includes(target) === true
      ? []
      : [`${from} (${moduleOf(from)}/${room}) imports ${to}: "${target}" is not for this folder`];
  });
}

/** Each two folders of one module that import each other, whichever files of them do. */
export function mutualRooms(graph: ImportGraph): string[] {
  const arrows = new Set(
    graph.imports
      .filter(
        ({ from, to, isLocal }) => isLocal && moduleOf(from) === moduleOf(to) && roomOf(from) !== roomOf(to),
      )
      .map(({ from, to }) => `${moduleOf(from)}: ${roomOf(from)} > ${roomOf(to)}`),
  );
  return [...arrows].filter((arrow) => {
    const [, module = '', from = '', to = ''] = /^(.*): (.*) > (.*)$/u.exec(arrow) ?? [];
    return from < to && arrows.has(`${module}: ${to} > ${from}`);
  });
}

const OWN = /^(?:simulator\/|relay\/)?src\//;

const FEATURE = /^src\/features\/[^/]+\//;

/** `src/domain/...` and `relay/src/...`: the folder below the module in which a file stands, `.` for the module's own files. */
function roomOf(file: string): string {
  const depth = FEATURE.test(file) ? 3 : 2;
  return file.split('/').slice(depth, -1).join('/') || '.';
}

/** A feature is a module of its own: `features/credentials`. */
function moduleOf(file: string): string {
  const [first = '', second = '', third = ''] = file.split('/');
  if (FEATURE.test(file)) {
    return `${second}/${third}`;
  }
  return first === 'src' ? second.replace(/\.ts$/, '') : first;
}

function localFault({ to }: Import, module: string, allowed: Module): string | undefined {
  if (!OWN.test(to)) {
    return 'it is no source of the project';
  }
  const target = moduleOf(to);
  return target === module || allowed.modules.includes(target)
    ? undefined
    : `"${target}" is not for this module`;
}

function packageFault({ to, isTypeOnly }: Import, allowed: Module): string | undefined {
  const [first = '', second = ''] = to.split('/');
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  const isAllowed =
    allowed.packages.includes(name) ||
    (name.startsWith('node:') && allowed.packages.includes('node:*')) ||
    (isTypeOnly && allowed.packages.includes(`${name} (types)`));
  if (isAllowed) {
    return undefined;
  }
  return allowed.packages.includes(`${name} (types)`)
    ? 'only its types may be imported'
    : 'not for this module';
}
