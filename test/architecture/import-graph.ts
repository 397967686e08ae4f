// Reads every import of a source tree, type-only ones included, and says which of them the table of modules forbids.
import { cruise } from 'dependency-cruiser';
import type { Module } from './modules.ts';

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

function moduleOf(file: string): string {
  return file.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}

function localFault({ to }: Import, module: string, allowed: Module): string | undefined {
  if (!to.startsWith('src/')) {
    return 'it is no file of src';
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
