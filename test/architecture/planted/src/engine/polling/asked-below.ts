// Imported by a folder below it, and importing that folder: two folders in a circle.
import type { lock } from '../locks/other.ts';

export const pace: typeof lock = 1;
