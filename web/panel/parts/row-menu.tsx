// The actions for a row, or for a page, behind a button with three dots.
import type { RefObject, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { MoreIcon } from './icons.tsx';
import { Button } from './pieces.tsx';

/** An entry of a menu. It closes the menu, with the focus on its button, and then acts or opens its sheet. */
export interface MenuEntry {
  readonly label: string;
  readonly isBusy?: boolean;
  readonly onPress?: () => void;
  readonly sheet?: (onClose: () => void) => VNode;
}

/** What the menu has now: entries that are impossible are false. */
export type MenuEntries = readonly (MenuEntry | false)[];

/** `isOne`: its entries need not say what they belong to. */
export function RowMenu(props: {
  readonly of: string;
  readonly isOne?: boolean;
  readonly entries: MenuEntries;
}): VNode {
  const { of, isOne = false } = props;
  const entries = props.entries.filter((entry) => entry !== false);
  const [isOpen, setOpen] = useState(false);
  /** The label of the entry whose sheet is open. */
  const [shown, setShown] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useLeft(isOpen, place, setOpen);
  const close = (): void => {
    setOpen(false);
    opener.current?.focus();
  };
  const pressOf = ({ label, isBusy = false, onPress, sheet }: MenuEntry) => ({
    isBusy,
    onPress: () => {
      close();
      onPress?.();
      setShown(sheet === undefined ? null : label);
    },
  });
  return (
    <>
      <div
        ref={place}
        class="menu"
        onKeyDown={({ key }) => {
          if (key === 'Escape' && isOpen) {
            close();
          }
        }}
      >
        <MoreButton {...{ of, isOpen }} place={opener} onPress={() => setOpen(!isOpen)} />
        {isOpen && (
          <div class="menu-list">
            {entries.map((entry) => (
              <Button key={entry.label} {...(isOne ? {} : { of })} {...pressOf(entry)}>
                {entry.label}
              </Button>
            ))}
          </div>
        )}
      </div>
      {entries.find(({ label }) => label === shown)?.sheet?.(() => setShown(null))}
    </>
  );
}

/** The button with three dots, which opens what is done rarely with `of`. */
export function MoreButton(props: {
  readonly of: string;
  readonly isOpen: boolean;
  readonly onPress: () => void;
  readonly place?: RefObject<HTMLButtonElement | null>;
}): VNode {
  const { of, isOpen, onPress, place = null } = props;
  return (
    <button
      ref={place}
      type="button"
      class="push dots"
      aria-expanded={isOpen}
      aria-label={t('More, {of}', { of })}
      onClick={onPress}
    >
      <MoreIcon />
    </button>
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
