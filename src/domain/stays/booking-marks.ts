// What tells one booking from another beside its id: the number of the reservation, and the name of the guest.
import { folded, nameWords } from './booking-terms.ts';
import type { Booking } from './stay.ts';

/** More numbers than a portal writes about one booking. */
const MOST_REFERENCES = 4;

/** The address of a reservation: its last part that holds a digit. */
const ADDRESS =
  /https?:\/\/[^\s/]+\/[^\s]*?(?:reserv|booking|buchung|boeking|prenotazion|itinerar|confirm|order|[?&]res_?id=)[^\s]*/giu;
const WORDS =
  'reservation|booking|confirmation|conf|itinerary|order|reference|ref|buchung|reservierung|buchungs|reservierungs|bestatigung|reserva|confirmacion|localizador|prenotazione|conferma|reservering|reserverings|boeking|boekings|bevestiging|予約|確認';
const LABELLED = new RegExp(
  String.raw`(?<!\p{L})(?:${WORDS})[\p{Zs}.-]*(?:number|no|nr|code|id|nummer|numero|番号|コート|コード)?\p{Zs}*[:#.=№°：]*\p{Zs}*[#№]?(?=[A-Z-]{0,20}\d)(\d{2,4}(?:\p{Zs}\d{2,4}){1,5}|[A-Z0-9][A-Z0-9-]{3,39})(?![\p{L}\p{N}])`,
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
    .map((id) => id.toUpperCase().replaceAll(/\p{Zs}/gu, ''))
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

/** Labels of the guest's name, without accents. */
const GUEST_LABELS = [
  "(?:(?:lead|primary|main) )?guest(?:\\(s\\)|'?s)?(?: name)?|name(?: of (?:the )?guest)?|full name|contact name|(?:customer|client|booker|travell?er)(?: name)?|booked by",
  'gast|gastename|gastname|hauptgast|name des gastes|gebucht von|mieter|kunde|kundenname',
  "invite|voyageur|locataire|nom|nom complet|nom (?:du|de la|de l['’]) ?(?:voyageur|client|cliente|locataire|invite)|reserve par",
  'huesped|nombre|viajero|inquilino|nombre completo|nombre del? (?:huesped|cliente|viajero|inquilino)|reservado por',
  "ospite|nome|nome completo|nome (?:ospite|cliente)|nome (?:del|dell['’]) ?(?:ospite|cliente|viaggiatore)|prenotato da",
  'naam|naam (?:van de )?gast|gastnaam|hoofdgast|huurder|geboekt door',
  'ゲスト|ケスト|ゲスト名|ケスト名|宿泊者|宿泊者名|宿泊者氏名|予約者|予約者名|代表者|代表者名|お名前|氏名',
].join('|');
const FIRST_NAMES = 'first name|given name|vorname|prenom|nombre|nome|voornaam|名';
const LAST_NAMES =
  'last name|surname|family name|nachname|familienname|nom|nom de famille|apellidos?|cognome|achternaam|姓';

const lineOf = (labels: string): RegExp =>
  new RegExp(
    String.raw`^[\p{Zs}•*-]*(?:${labels})\p{Zs}*(?:[:：]|\p{Zs}[-–—]\p{Zs})\p{Zs}*(.{1,80})$`,
    'imu',
  );
const GUEST_LINE = lineOf(GUEST_LABELS);
const FIRST_LINE = lineOf(FIRST_NAMES);
const LAST_LINE = lineOf(LAST_NAMES);

/** The folded words of the guest's name, as the title says, else the text; null: neither names anybody. */
export function guestIn(title: string, text: string): string | null {
  const reference = /(?<![\p{L}\p{N}-])#?(?=[A-Z0-9-]*\d)[A-Z0-9][A-Z0-9-]{3,39}(?![\p{L}\p{N}-])/gu;
  return nameWords(title.replaceAll(reference, ' ').replaceAll(/\S+@\S+/gu, ' ')) ?? nameWords(namedIn(text));
}

function namedIn(text: string): string {
  const plain = unaccented(text.replaceAll(/<br\s*\/?>/giu, '\n').replaceAll(/<[^<>]{1,200}>/gu, ''));
  const [, first] = FIRST_LINE.exec(plain) ?? [];
  const [, last] = LAST_LINE.exec(plain) ?? [];
  const [, whole = ''] = GUEST_LINE.exec(plain) ?? [];
  return first === undefined || last === undefined ? whole : `${first} ${last}`;
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
