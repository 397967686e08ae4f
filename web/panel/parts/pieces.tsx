// The small pieces that every page is made of.
import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { waitWords } from '../../../src/words/times.ts';
import { t } from '../../../src/words/translate.ts';
import { Choice } from '../../shared/labelled.tsx';
import { useTimeThere } from '../../shared/time-there.ts';
import type { CallError } from '../state/transport.ts';
import { shortTimeWords, timeWords, zoneMark } from './reader-times.ts';

/** What the plugin is called on its own pages, in every language. */
export const PRODUCT = 'Latchkey';

export function Button(props: {
  /** `submit`: the button submits the form around it. */
  readonly onPress: (() => void) | 'submit';
  readonly kind?: 'main' | 'plain' | 'risky';
  readonly isBusy?: boolean;
  /** The action is impossible now, and the page explains why. */
  readonly isOff?: boolean;
  /** Names the surroundings to people who listen to the page. */
  readonly of?: string;
  readonly children: string;
}): VNode {
  const { onPress, kind = 'plain', isBusy = false, isOff = false, of, children } = props;
  return (
    <button
      type={onPress === 'submit' ? 'submit' : 'button'}
      class={`push ${kind}${isOff ? ' off' : ''}`}
      // Not `disabled`: the focus stays where it is while an action runs.
      aria-disabled={isBusy || isOff}
      onClick={() => {
        if (!isBusy && !isOff && onPress !== 'submit') {
          onPress();
        }
      }}
      {...(of === undefined ? {} : { 'aria-label': t('{label}, {of}', { label: children, of }) })}
    >
      {isBusy && <span class="wheel" aria-hidden="true" />}
      {children}
    </button>
  );
}

/** A section under its heading. */
export function Part(props: { readonly title: string; readonly children: ComponentChildren }): VNode {
  const id = useId();
  return (
    <section class="part" aria-labelledby={id}>
      <h3 id={id}>{props.title}</h3>
      {props.children}
    </section>
  );
}

/** The heading of a page; it takes the focus when a person comes from another page. */
export function PageHeading(props: { readonly takesFocus: boolean; readonly children: string }): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (props.takesFocus) {
      heading.current?.focus();
    }
    document.title = `${props.children} · ${PRODUCT}`;
  }, []);
  return (
    <h2 ref={heading} tabIndex={-1}>
      {props.children}
    </h2>
  );
}

/** The choice of one lock, or of all; `chosen` null: all. */
export function LockChoice(props: {
  readonly locks: readonly LockView[];
  readonly chosen: LockId | null;
  readonly onChoose: (id: LockId | null) => void;
}): VNode {
  const { locks, chosen, onChoose } = props;
  return (
    <Choice
      // A plural, so that it is the noun for translators: “Lock” alone is the button.
      label={t('{count, plural, one {Lock} other {Locks}}', { count: 1 })}
      names={[t('All locks'), ...locks.map(nameOf)]}
      chosen={locks.findIndex(({ id }) => id === chosen) + 1}
      onChoose={(index) => onChoose(locks[index - 1]?.id ?? null)}
    />
  );
}

/** One line of a list of facts. */
export function Fact(props: {
  readonly name: string;
  readonly tone: 'plain' | 'good' | 'warning';
  readonly children: ComponentChildren;
}): VNode {
  return (
    <div class={`fact ${props.tone}`}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

export function Notice(props: {
  readonly tone: 'plain' | 'good' | 'warning' | 'bad';
  readonly children: ComponentChildren;
}): VNode {
  return <div class={`notice ${props.tone}`}>{props.children}</div>;
}

/** A failure, announced when it comes; `of`: its place, if the page shows several. */
export function Failure(props: { readonly failure: CallError | null; readonly of?: string }): VNode {
  const { failure, of } = props;
  return (
    <div role="alert">
      {failure !== null && (
        <Notice tone="bad">
          {of !== undefined && (
            <p>
              <bdi>{of}</bdi>
            </p>
          )}
          <p>{failure.message}</p>
          {failure.waitMs !== null && <p>{t('Try again in {wait}.', { wait: waitWords(failure.waitMs) })}</p>}
          {failure.disposition === 'retry' && <p>{t('Nothing was changed. Try again in a moment.')}</p>}
        </Notice>
      )}
    </div>
  );
}

/** In place of what has not been read yet. */
export function Waiting({ failure }: { readonly failure: CallError | null }): VNode {
  return failure === null ? <p>{t('Loading …')}</p> : <Failure failure={failure} />;
}

/** A success, or the progress of an action, announced when it comes. */
export function Status({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <div role="status" class="status">
      {children}
    </div>
  );
}

/** Asks again before something that cannot be taken back. */
export function Confirmed(props: {
  readonly action: string;
  readonly of: string;
  readonly question: string;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
}): VNode {
  const { action, of, question, isBusy, onConfirm } = props;
  const [isAsking, setAsking] = useState(false);
  const place = useFocusAfter(isAsking);
  return (
    <div ref={place} class="confirmed">
      {isAsking ? (
        <Question {...{ action, of, question, isBusy, onConfirm }} onCancel={() => setAsking(false)} />
      ) : (
        <Button of={of} onPress={() => setAsking(true)}>
          {action}
        </Button>
      )}
    </div>
  );
}

/** Where the focus goes back to the first button, once the question was called off. */
function useFocusAfter(isAsking: boolean): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (isAsking !== wasAsking.current) {
      wasAsking.current = isAsking;
      if (!isAsking) {
        place.current?.querySelector<HTMLElement>('button')?.focus();
      }
    }
  }, [isAsking]);
  return place;
}

/** A question before something that cannot be taken back; it takes the focus when it comes. */
export function Question(props: {
  readonly action: string;
  readonly of: string;
  readonly question: string;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}): VNode {
  const { action, of, question, isBusy, onConfirm, onCancel } = props;
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => group.current?.focus(), []);
  return (
    <div
      ref={group}
      class="asking"
      role="group"
      aria-label={t('{label}, {of}', { label: action, of })}
      tabIndex={-1}
    >
      <p>{question}</p>
      <div class="pushes">
        <Button kind="risky" isBusy={isBusy} onPress={onConfirm}>
          {action}
        </Button>
        <Button onPress={onCancel}>{t('Cancel')}</Button>
      </div>
    </div>
  );
}

/** How often ages on the page grow, in milliseconds. */
const TICK_MS = 5_000;

/** The service's time now; `aheadMs`: how far its clock is ahead of the browser's. */
export function useServiceNow(aheadMs: number): number {
  return useTimeThere(aheadMs, TICK_MS);
}

/** How long ago something is by now that was so long ago when it was read at that time, on the browser's clock. */
export function useAge(agoMs: number | null, readAt: number): number | null {
  const now = useTimeThere(0, TICK_MS);
  return agoMs === null ? null : agoMs + now - readAt;
}

export function Time(props: {
  readonly at: number;
  readonly now: number;
  /** There is little room: of another day, only the date. */
  readonly isShort?: boolean;
  /** Of the clocks, which are named where they are not the reader's. */
  readonly zone?: string | undefined;
}): VNode {
  const { at, now, zone, isShort = false } = props;
  const words = (isShort ? shortTimeWords : timeWords)(at, now, zone);
  const mark = zone === undefined ? '' : zoneMark(at, zone);
  return (
    <>
      <time dateTime={new Date(at).toISOString()}>{words}</time>
      {mark}
    </>
  );
}
