// Folds text so that letters which differ in case or composition alone compare equal, in every script.

/** Upper case is compared last: it is the same for all forms of a letter, such as the three sigmas of Greek. */
export function folded(text: string): string {
  // Turkish writes "I" with a dot: its lower case is "i" and a mark of its own.
  return text.normalize('NFKC').toLowerCase().replaceAll('i\u0307', 'i').toUpperCase().trim();
}
