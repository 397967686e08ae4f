// What tells one booking from another beside its id: the number of the reservation, and the name of the guest.
import { folded, nameWords } from './booking-terms.ts';
import type { Booking } from './stay.ts';

/** More numbers than a portal writes about one booking. */
const MOST_REFERENCES = 4;

/** The address of a reservation: its last part that holds a digit. */
const ADDRESS =
  /https?:\/\/[^\s/]+\/[^\s]*?(?:reserv|booking|buchung|boeking|prenotazion|itinerar|confirm|order)[^\s]*/giu;
const WORDS =
  'reservation|booking|confirmation|itinerary|order|reference|ref|buchung|reservierung|buchungs|reservierungs|bestatigung|reserva|confirmacion|localizador|prenotazione|conferma|reservering|boeking|boekings|bevestiging|予約|確認';
const LABELLED = new RegExp(
  String.raw`(?<!\p{L})(?:${WORDS})[\p{Zs}-]*(?:number|no|nr|code|id|nummer|numero|番号|コート|コード)?\p{Zs}*[:#.=№°：]*\p{Zs}*[#№]?(?=[A-Z-]{0,20}\d)([A-Z0-9][A-Z0-9-]{3,39})(?![\p{L}\p{N}])`,
  'giu',
);
const IN_TITLE = /(?<![\p{L}\p{N}-])#?([A-Z0-9][A-Z0-9-]{4,39})(?![\p{L}\p{N}-])/gu;
const DATE = /^\d{4}-\d\d-\d\d|^\d{1,2}-\d{1,2}-\d{2,4}$/u;

/** Numbers of the reservation, in capitals. The same booking has at least one of them again. */
export function referencesIn(title: string, text: string): readonly string[] {
  const addresses = [...text.matchAll(ADDRESS)].map(([address]) => idOfAddress(address));
  const plain = unaccented(text.replaceAll(/https?:\/\/\S+/giu, ' '));
  const labelled = [...plain.matchAll(LABELLED), ...unaccented(title).matchAll(LABELLED)].map(
    ([, id = '']) => id,
  );
  const titled = [...title.matchAll(IN_TITLE)].flatMap(([whole, id = '']) =>
    (/\p{L}/u.test(id) || whole.startsWith('#')) && id.length >= 4 ? [id] : [],
  );
  const ids = [...addresses, ...labelled, ...titled]
    .map((id) => id.toUpperCase())
    .filter((id) => /\d/u.test(id) && !DATE.test(id));
  return [...new Set(ids)].slice(0, MOST_REFERENCES);
}

function idOfAddress(address: string): string {
  const [path = '', query = ''] = address.replace(/[).,;>\]]+$/u, '').split('?');
  const asked =
    /(?:^|&)[\w-]*(?:res|booking|reservation|confirmation|order|id|code)[\w-]*=([\w-]{4,40})/iu.exec(query);
  const parts = path
    .split('/')
    .slice(3)
    .filter((part) => /\d/u.test(part) && part.length >= 4);
  return (parts.at(-1) ?? asked?.[1] ?? '').slice(0, 60);
}

const GUEST_LINE =
  /^[\p{Zs}•*-]*(?:guest|guest name|name|booked by|booker|traveller|traveler|gast|gastname|name des gastes|gebucht von|invite|voyageur|nom|nom du voyageur|reserve par|huesped|nombre|viajero|reservado por|ospite|nome|nome ospite|prenotato da|naam|naam gast|geboekt door|ゲスト|ケスト|ゲスト名|ケスト名|宿泊者|宿泊者名|予約者|予約者名|お名前|氏名)\p{Zs}*[:：]\p{Zs}*(.{2,80})$/imu;

/** The folded words of the guest's name, as the title says, else the text; null: neither names anybody. */
export function guestIn(title: string, text: string): string | null {
  const [, named = ''] = GUEST_LINE.exec(unaccented(text)) ?? [];
  const reference = /(?<![\p{L}\p{N}-])#?(?=[A-Z0-9-]*\d)[A-Z0-9][A-Z0-9-]{3,39}(?![\p{L}\p{N}-])/gu;
  return nameWords(title.replaceAll(reference, ' ').replaceAll(/\S+@\S+/gu, ' ')) ?? nameWords(named);
}

/** The guest's name as the title writes it; null: the title names nobody. */
export function shownGuest({ summary, guest }: Pick<Booking, 'summary' | 'guest'>): string | null {
  const words = new Set((guest ?? '').split(' '));
  const named = summary.split(/[^\p{L}\p{M}\p{N}'’-]+/u).filter(
    (word) =>
      word !== '' &&
      folded(word)
        .split(' ')
        .every((part) => words.has(part)),
  );
  return guest === null || named.length === 0 ? null : named.join(' ');
}

function unaccented(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
}
