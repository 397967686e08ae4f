// The template of the message to a guest: text of the host, with places for what changes from guest to guest.
import { type Message, message } from '../language/message.ts';

export const PLACES = ['guest', 'flat', 'doors', 'from', 'until', 'code', 'how'] as const;

export type Place = (typeof PLACES)[number];

/** Of an SMS or a mail of a host (our choice). */
export const LONGEST_TEMPLATE = 2_000;

const PLACE = /\{([^{}\n]{0,40})\}/gu;

/** Why the template cannot be used; null: it can. An empty one stands for the usual message. */
export function faultOfTemplate(template: string): Message | null {
  if (template.trim() === '') {
    return null;
  }
  const named = [...template.matchAll(PLACE)].map(([, name = '']) => name);
  const unknown = named.find((name) => !isPlace(name));
  if (unknown !== undefined) {
    return message('has {unknown}, which stands for nothing; use {places}', {
      unknown: `{${unknown}}`,
      places: PLACES.map((name) => `{${name}}`),
    });
  }
  return named.includes('code')
    ? null
    : message('lacks {place}, which stands for the code', { place: '{code}' });
}

export function filledTemplate(template: string, values: Readonly<Record<Place, string>>): string {
  return template.replaceAll(PLACE, (whole, name: string) => (isPlace(name) ? values[name] : whole));
}

function isPlace(name: string): name is Place {
  return PLACES.some((place) => place === name);
}
