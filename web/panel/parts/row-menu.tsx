// The actions for a row, or for a page, behind a button with three dots.
import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { MoreIcon } from './icons.tsx';
import { Button } from './pieces.tsx';

/** An entry of a menu. It closes the menu, with the focus on its button, and then acts. */
export type MenuEntry = (label: string, act: () => void, isBusy?: boolean) => VNode;

/** `children` are given what makes its entries; `isOne`: they need not say what they belong to. */
export function RowMenu(props: {
  readonly of: string;
  readonly isOne?: boolean;
  readonly children: (entry: MenuEntry) => ComponentChildren;
}): VNode {
  const { of, isOne = false, children } = props;
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useLeft(isOpen, place, setOpen);
  const close = (): void => {
    setOpen(false);
    opener.current?.focus();
  };
  const entry: MenuEntry = (label, act, isBusy = false) => (
    <Button
      isBusy={isBusy}
      onPress={() => {
        close();
        act();
      }}
      {...(isOne ? {} : { of })}
    >
      {label}
    </Button>
  );
  return (
    <div
      ref={place}
      class="menu"
      onKeyDown={({ key }) => {
        if (key === 'Escape' && isOpen) {
          close();
        }
      }}
    >
      <button
        ref={opener}
        type="button"
        class="push dots"
        aria-expanded={isOpen}
        aria-label={t('More, {of}', { of })}
        onClick={() => setOpen(!isOpen)}
      >
        <MoreIcon />
      </button>
      {isOpen && <div class="menu-list">{children(entry)}</div>}
    </div>
  );
}

/** Closes what a person points or tabs away from. */
function useLeft(
  isOpen: boolean,
  place: RefObject<HTMLElement | null>,
  setOpen: (isOpen: boolean) => void,
): void {
  useEffect(() => {
    const left = ({ target }: Event): void => {
      if (target instanceof Node && place.current?.contains(target) !== true) {
        setOpen(false);
      }
    };
    const events = isOpen ? (['pointerdown', 'focusin'] as const) : [];
    for (const event of events) {
      document.addEventListener(event, left);
    }
    return () => {
      for (const event of events) {
        document.removeEventListener(event, left);
      }
    };
  }, [isOpen]);
}
