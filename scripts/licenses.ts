// Puts the licenses of all packages that a build joins into its files beside them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Every package of which a file was joined, with the text of its license, in `NAME.LICENSE`. */
export function licenses(name: string): Plugin {
  return {
    name: 'licenses',
    generateBundle(_, bundle) {
      const files = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
      const folders = new Set(
        files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replace('\0', '')) ?? []),
      );
      const texts = [...folders].sort().map(licenseIn);
      if (texts.length > 0) {
        this.emitFile({ type: 'asset', fileName: `${name}.LICENSE`, source: texts.join('\n\n') });
      }
    },
  };
}

function licenseIn(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, license } = manifest as Readonly<Record<string, unknown>>;
  const text =
    file === undefined ? `License: ${String(license)}\n` : readFileSync(join(folder, file), 'utf8');
  return `${String(name)}\n\n${sourceOf(manifest as Readonly<Record<string, unknown>>)}${text.trim()}\n`;
}

/** The Mozilla license wants readers to be told where the source is. */
function sourceOf({ license, repository, version }: Readonly<Record<string, unknown>>): string {
  const { url } = (repository ?? {}) as { readonly url?: unknown };
  return license === 'MPL-2.0' ? `The source of version ${String(version)}: ${String(url)}\n\n` : '';
}
