// What package-lock.json says of optional packages, and which of them it fails to lock.
import { z } from 'zod';

const lockedPackage = z.looseObject({
  version: z.string().optional(),
  dev: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});

const lockSchema = z.looseObject({ packages: z.record(z.string(), lockedPackage) });

export type LockedPackage = z.output<typeof lockedPackage>;
export type Lock = z.output<typeof lockSchema>;

/** Checks the text, and hands its members out in their own order. */
export function readLock(text: string): Lock {
  return z.custom<Lock>((value) => lockSchema.safeParse(value).success).parse(JSON.parse(text));
}

interface MissingOptional {
  readonly name: string;
  /** As its dependent wants it; builds for platforms are wanted in one exact version. */
  readonly version: string;
  readonly dev: boolean | undefined;
}

/** The optional dependencies that have no entry, neither beside their dependent nor at the top. */
export function missingOptionals({ packages }: Lock): MissingOptional[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(
        ([name]) => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
      )
      .map(([name, version]) => ({ name, version, dev })),
  );
}
