// Announces changed bolts to screen readers, which do not see a card change its colour.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { seriesWords } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { boltSign } from './lock-signs.ts';

export function Announcements(props: {
  readonly locks: readonly LockView[];
  readonly isCurrent: boolean;
}): VNode {
  const { locks, isCurrent } = props;
  const before = useRef<ReadonlyMap<string, string>>(new Map());
  const [said, setSaid] = useState('');
  useEffect(() => {
    const known = before.current;
    const words = new Map(locks.map((lock) => [lock.id, boltSign(lock, isCurrent)]));
    const changes = locks.flatMap((lock) => {
      const word = words.get(lock.id);
      return known.has(lock.id) && known.get(lock.id) !== word
        ? [t('{name}: {what}', { name: nameOf(lock), what: word ?? '' })]
        : [];
    });
    before.current = words;
    // The banner announces a loss, not each lock.
    if (changes.length > 0 && isCurrent) {
      setSaid(seriesWords(changes));
    }
  }, [locks, isCurrent]);
  return (
    <p class="unseen" role="status">
      {said}
    </p>
  );
}
