// Reads the package's version, and the versions of Node it runs on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../support/files/package-root.ts';

export interface PackageFacts {
  readonly version: string;
  /** A range as npm writes it, such as "^22.19.0 || ^24.0.0". */
  readonly nodeRange: string;
}

export function packageFacts(): PackageFacts {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  const { version, engines }: Readonly<Record<string, unknown>> = objectOf(JSON.parse(text));
  return { version: String(version), nodeRange: String(objectOf(engines)['node']) };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
