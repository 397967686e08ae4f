// How the changes of codes go, and how the latest of them ended.
import type { VNode } from 'preact';
import type { CodeProgress } from '../../../src/domain/codes/operation.ts';
import { hasEnded } from '../../../src/domain/codes/operation.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { progressSentence } from '../../../src/words/codes.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { Notice } from '../parts/pieces.tsx';
import { usePageContext } from '../state/page-context.ts';

/** Ends of this many operations stay on the page. */
const SHOWN_ENDS = 3;

export function CodeChanges(props: {
  readonly locks: readonly LockView[];
  readonly shown: readonly LockView[];
}): VNode {
  const { locks, shown } = props;
  const { state } = usePageContext();
  const ids = new Set(shown.map(({ id }) => id));
  const own = (state['codes.operations'] ?? []).filter(({ lockId }) => ids.has(lockId));
  const lines = [
    ...own.filter(hasEnded).slice(-SHOWN_ENDS),
    ...own.filter((operation) => !hasEnded(operation)),
  ];
  const lockOf = (operation: CodeProgress): LockView | undefined =>
    locks.length > 1 ? locks.find(({ id }) => id === operation.lockId) : undefined;
  return (
    <div role="status" class="status">
      {lines.map((operation) => {
        const lock = lockOf(operation);
        return (
          <Notice key={operation.id} tone={toneOf(operation)}>
            <p>
              {lock !== undefined && <bdi>{`${nameOf(lock)}: `}</bdi>}
              {operation.phase === 'failed' && operation.name !== null && <bdi>{`${operation.name}: `}</bdi>}
              {progressSentence(operation)}
            </p>
          </Notice>
        );
      })}
    </div>
  );
}

function toneOf({ phase }: CodeProgress): 'plain' | 'good' | 'bad' {
  return phase === 'done' ? 'good' : phase === 'failed' ? 'bad' : 'plain';
}
