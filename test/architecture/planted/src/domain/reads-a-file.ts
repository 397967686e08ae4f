// Planted: the domain uses Node.
import { readFileSync } from 'node:fs';

export const lock = (): string => readFileSync('lock', 'utf8');
