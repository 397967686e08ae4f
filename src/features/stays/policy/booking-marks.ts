// What tells one booking from another beside its id: the number of the reservation, and the name of the guest.
import { atFirstUse } from '../../../support/first-use.ts';
import { folded, nameWords, withoutHonorific } from './booking-terms.ts';
import type { Booking } from './stay.ts';

/** More numbers than a portal writes about one booking. */
const MOST_REFERENCES = 4;

/** The address of a reservation: its last part that holds a digit. */
const ADDRESS =
  /https?:\/\/[^\s/]+\/[^\s]*?(?:reserv|booking|buchung|boeking|prenotazion|itinerar|confirm|order|[?&]res_?id=)[^\s]*/giu;
const WORDS =
  'reservation|booking|confirmation|conf|itinerary|order|reference|ref|buchung|reservierung|buchungs|reservierungs|bestatigungs?|reserva|confirmacion|localizador|prenotazione|conferma|reservering|reserverings|boeking|boekings|bevestigings?|予約|確認';
const labelledForm = atFirstUse(
  () =>
    new RegExp(
      String.raw`(?<!\p{L})(?:${WORDS})(?:\.com)?[\p{Zs}.-]*(?:number|no|nr|code|id|nummer|numero|番号|コート|コード)?\p{Zs}*[:#.=№°：]*\p{Zs}*[#№]?(?=[A-Z/-]{0,20}\d)(\d{2,4}(?:\p{Zs}\d{2,4}){1,5}|[A-Z0-9][A-Z0-9/-]{3,39})(?![\p{L}\p{N}])`,
      'giu',
    ),
);
const LETTERED =
  /(?:[Cc]ode|CODE|[Nn]umber|[Nn]ummer|ID|[Cc]onfirmation|[Rr]eference|コード|番号)\p{Zs}?[:：#]\p{Zs}*([A-Z]{8,12})(?![\p{L}\p{N}])/gu;
const IN_TITLE = /(?<![\p{L}\p{N}-])#?([A-Z0-9][A-Z0-9-]{4,39})(?![\p{L}\p{N}-])/gu;
/** No year, and no price. */
const BARE =
  /(?<![\p{L}\p{N}.:/€$£¥-]|[€$£¥]\p{Zs}|(?:EUR|CHF|USD|GBP)\p{Zs})(?!(?:19|20)\d\d(?!\d))\d{4,12}(?![\p{L}\p{N}.:/-]|\p{Zs}?(?:[€$£¥円]|EUR|CHF|USD|GBP|kr))/gu;
const DATE = /^\d{4}[/-]\d\d[/-]\d\d|^\d{1,2}[/-]\d{1,2}(?:[/-](?:\d{2,4})?)?$|^(?:19|20)\d\d[/-]?$/u;

/** Numbers of the reservation, in capitals. The same booking has at least one of them again. */
export function referencesIn(title: string, text: string): readonly string[] {
  const addresses = [...text.matchAll(ADDRESS)].map(([address]) => idOfAddress(address));
  const plain = unaccented(text.replaceAll(/https?:\/\/\S+/giu, ' '));
  const labelled = [...plain.matchAll(labelledForm()), ...unaccented(title).matchAll(labelledForm())].map(
    ([, id = '']) => id,
  );
  const lettered = [...text.matchAll(LETTERED)].map(([, id = '']) => id);
  const titled = [...title.matchAll(IN_TITLE)].flatMap(([whole, id = '']) =>
    (/\p{L}/u.test(id) || whole.startsWith('#')) && id.length >= 4 ? [id] : [],
  );
  // If a title has a number and no name, the number tells its booking from others.
  const bare = nameWords(title) === null ? [...title.matchAll(BARE)].map(([id]) => id) : [];
  const numbers = [...labelled, ...titled, ...bare].filter((id) => /\d/u.test(id));
  const ids = [...addresses, ...numbers, ...lettered]
    .map((id) => id.toUpperCase().replaceAll(/\p{Zs}/gu, ''))
    .filter((id) => id !== '' && !DATE.test(id));
  return [...new Set(ids)].slice(0, MOST_REFERENCES);
}

function idOfAddress(address: string): string {
  const [path = '', query = ''] = address.replace(/[).,;>\]]+$/u, '').split('?');
  const parts = path.split('/').slice(3);
  const isOfHome = (part: string | undefined): boolean => HOME_PART.test(part ?? '');
  const from = parts.findLastIndex((part) => BOOKING_PART.test(part)) + 1;
  const behind = parts.find((part, index) => index >= from && isId(part) && !isOfHome(parts[index - 1]));
  const asked = query
    .split('&')
    .map((pair) => pair.split('='))
    .find(([key = '', id = '']) => ASKED.test(key) && !HOME_PART.test(key) && isId(id));
  const last = parts.findLast((part, index) => isId(part) && !isOfHome(parts[index - 1]));
  const id = behind ?? asked?.[1] ?? last ?? '';
  return id.slice(0, 60);
}

const BOOKING_PART = /^(?:reserv|booking|buchung|boeking|prenotazion|itinerar|confirm|order|details)/iu;
/** The number of a home is that of all its bookings. */
const HOME_PART = /propert|listing|unit|room|hotel|rental|accommodation|apartment|account|user|host/iu;
const ASKED = /res|booking|confirmation|order|itinerary|id|code/iu;

/** Some portals have numbers of letters alone. */
const isId = (part: string): boolean =>
  part.length >= 4 && /^[\w%-]+$/u.test(part) && (/\d/u.test(part) || CAPITALS.test(part));
const CAPITALS = /^[A-Z]{8,12}$/u;

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

const lineOf = (labels: string): (() => RegExp) =>
  atFirstUse(
    () =>
      new RegExp(
        String.raw`^[\p{Zs}•*-]*(?:${labels})\p{Zs}*(?:[:：]|\p{Zs}[-–—]\p{Zs})\p{Zs}*(.{1,80})$`,
        'imu',
      ),
  );
const guestLine = lineOf(GUEST_LABELS);
const firstLine = lineOf(FIRST_NAMES);
const lastLine = lineOf(LAST_NAMES);

/**
 * The folded words of the guest's name; null: no guest is named. Title and text count together where they name others:
 * programs write the name of the home, or of a portal, into every title.
 */
export function guestIn(title: string, text: string): string | null {
  const reference = /(?<![\p{L}\p{N}-])#?(?=[A-Z0-9-]*\d)[A-Z0-9][A-Z0-9-]{3,39}(?![\p{L}\p{N}-])/gu;
  const bare = title.replaceAll(reference, ' ');
  const inTitle = nameWords(bare.replaceAll(/\S+@\S+/gu, ' ')) ?? nameWords(bare);
  const inText = nameWords(namedIn(text));
  if (inTitle === null || inText === null) {
    return inTitle ?? inText;
  }
  const said = new Set(inText.split(' '));
  return inTitle.split(' ').some((word) => said.has(word)) ? inTitle : `${inTitle} ${inText}`;
}

function namedIn(text: string): string {
  const plain = unaccented(
    text.replaceAll(/<(?:br|\/(?:p|div|li|tr|h\d))\s*\/?>/giu, '\n').replaceAll(/<[^<>]{1,200}>/gu, ''),
  );
  const [, first] = firstLine().exec(plain) ?? [];
  const [, last] = lastLine().exec(plain) ?? [];
  const [, whole = ''] = guestLine().exec(plain) ?? [];
  return first === undefined || last === undefined ? whole : `${first} ${last}`;
}

const STATE_LINE =
  /^[\p{Zs}•*-]*(?:(?:booking|reservation|buchungs|reservierungs|reserverings|boekings|予約)[\p{Zs}-]*)?(?:status|statut|estado|stato|ステータス|状態)(?:\p{Zs}(?:(?:de la|della|du|de)\p{Zs})?(?:reserva|reservation|prenotazione))?\p{Zs}*[:：]\p{Zs}*(.{1,60})$/imu;

/** What the text says of the state of the booking, such as "cancelled"; empty: nothing. */
export function stateIn(text: string): string {
  return STATE_LINE.exec(unaccented(text).replaceAll(/<[^<>]{1,200}>/gu, '\n'))?.[1]?.trim() ?? '';
}

/** The guest's name as the title writes it; null: the title names nobody. */
export function shownGuest({ summary, guest }: Pick<Booking, 'summary' | 'guest'>): string | null {
  const words = new Set((guest ?? '').split(' '));
  const named = summary.split(/[^\p{L}\p{M}\p{N}'’-]+/u).filter(
    (word) =>
      word !== '' &&
      folded(word)
        .split(' ')
        .every((part) => words.has(withoutHonorific(part))),
  );
  return guest === null || named.length === 0 ? null : named.join(' ');
}

function unaccented(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
}
