// Reads every import of a source tree, type-only ones included, and says which of them the table of rooms forbids.
import { cruise } from 'dependency-cruiser';
import type { Room } from './modules.ts';

interface Import {
  readonly from: string;
  /** The file for an import inside the tree, else the package or `node:` module as written. */
  readonly to: string;
  readonly isLocal: boolean;
  readonly isTypeOnly: boolean;
}

/** What stands under `<baseFolder>/src`: its files, their imports, and the paths that run in a circle. */
export interface ImportGraph {
  readonly files: readonly string[];
  readonly imports: readonly Import[];
  readonly cycles: readonly string[];
}

/** Reads the tree under `<baseFolder>/src`. */
export async function readImports(baseFolder: string): Promise<ImportGraph> {
  const { output } = await cruise(['src'], {
    baseDir: baseFolder,
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    validate: true,
    ruleSet: { forbidden: [{ name: 'cycle', severity: 'error', from: {}, to: { circular: true } }] },
  });
  if (typeof output === 'string') {
    throw new TypeError('The import graph came as text, not as data');
  }
  const own = output.modules.filter(({ source }) => /^src\/.*\.ts$/.test(source));
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
export function forbiddenImports(graph: ImportGraph, rooms: Readonly<Record<string, Room>>): string[] {
  return graph.imports.flatMap((found) => {
    const room = roomOf(found.from);
    const allowed = rooms[room];
    if (!allowed) {
      return [`${found.from}: the room "${room}" is not in the table`];
    }
    const reason = found.isLocal ? localFault(found, room, allowed) : packageFault(found, allowed);
    return reason === undefined ? [] : [`${found.from} (${room}) imports ${found.to}: ${reason}`];
  });
}

function roomOf(file: string): string {
  return file.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}

function localFault({ to }: Import, room: string, allowed: Room): string | undefined {
  if (!to.startsWith('src/')) {
    return 'it is no file of src';
  }
  const target = roomOf(to);
  return target === room || allowed.rooms.includes(target) ? undefined : `"${target}" is not for this room`;
}

function packageFault({ to, isTypeOnly }: Import, allowed: Room): string | undefined {
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
    : 'not for this room';
}
