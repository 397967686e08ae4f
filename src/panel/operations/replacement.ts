// The panel's operations on a lock that was replaced: which ones may have been, and moving all to the new one.
import { z } from 'zod';
import { lockId } from '../../domain/locks/lock.ts';
import type { ReplacementApi } from '../views/replacement.ts';
import { nothing, pageRows } from './operation.ts';

const lock = () => z.string().min(1).max(256).transform(lockId);

const row = pageRows(({ replacement }: { readonly replacement: ReplacementApi }) => replacement);

export const REPLACEMENT_OPERATIONS = {
  'locks.replaced': row('reads', nothing, (replacement) => replacement.candidates()),
  'locks.replace': row(
    'changes',
    () => z.object({ old: lock(), by: lock() }),
    (replacement, { old, by }) => replacement.replace(old, by),
  ),
};
