// Finds the phone number of a guest in the text of a booking, and leaves those of hosts, portals and cards alone.
import { atFirstUse } from '../../../support/first-use.ts';
import { folded } from './booking-terms.ts';

const list = (words: string): (() => RegExp) =>
  atFirstUse(() => {
    const marks = words.split(' ').map((word) => word.replaceAll('_', ' '));
    return new RegExp(`(?:${marks.join('|')})`, 'gu');
  });

/** All words are folded: lower case without accents. Languages with long words join them, so parts of words count. */
const phoneWords = list(
  'phone telephone (?<!\\p{L})tel(?!\\p{L}) (?<!\\p{L})cell whatsapp handy(?!man) telefon rufnummer mobil portable telefono movil celular cellulare telefoon gsm ^(?:guest_)?contact(?:_(?:number|no|nr))?(?=$) 電話 携帯 連絡先',
);
const guestWords = list(
  'guest traveller traveler visitor (?<!\\p{L})customer(?!_(?:service|support|care)) booker (?<!\\p{L})kunde(?!n) (?<!\\p{L})klant(?!e) (?<!service_|al_|servizio_|assistenza_)client (?<!\\p{L})gast(?!geber|heer|vrouw) voyageur (?<!\\p{L})invite locataire huesped viajero inquilino ospite viaggiatore ケスト 宿泊者 お客様 予約者 ゲスト',
);
const cardWords = list(
  '(?<!\\p{L})card kreditkarte (?<!\\p{L})karte carte_ba carte_de_c carte_bl (?<!\\p{L})tarjeta carta_di creditcard kaartnummer (?<!\\p{L})kaart visa mastercard amex american_express iban payment account konto zahlung paiement pago pagamento betaling (?<!\\p{L})(?:total|amount|paid|price|tax|vat|lat|latitude|lng|longitude|gps|betrag|preis|steuer|montant|prix|importe|precio|importo|prezzo|bedrag|prijs)(?!\\p{L}) 金額 カート カード 口座 支払',
);
/** A number beside these words is that of somebody who lets, serves or sells. */
const othersWords = list(
  [
    'support (?<!\\p{L})host(?!el) hosts property portal hotline help service emergency owner manager management agency agent office reception cleaner cleaning concierge contact_us call_us (?<!\\p{L})our(?!\\p{L}) desk landlord handyman fax questions driver(?!s_licen) taxi transfer shuttle operator neighbou?r key_?holder co_?host caretaker',
    'gastgeber unterkunft vermieter verwaltung notfall kundendienst kundenservice kundensupport eigentumer rezeption hausmeister reinigung agentur buro betreuung ansprechpartner hilfe objekt veranstalter nachbar(?!schaft) fahrer schlussel (?<!\\p{L})unser',
    'hote hebergement logement proprietaire urgence assistance agence accueil menage conciergerie bureau gestionnaire chauffeur navette voisin (?<!\\p{L})notre',
    'anfitrion alojamiento propietari soporte atencion ayuda urgencia emergencia limpieza recepcion propiedad agencia gestor oficina servicio conductor vecin[oa] (?<!\\p{L})nuestr',
    'padrone proprietari alloggio struttura assistenza emergenz pulizi agenzia gestore ufficio servizio autista vicin[oa]_di (?<!\\p{L})nostr',
    'verhuurder gastheer gastvrouw accommodatie eigenaar klantenservice nood schoonmaak receptie beheer kantoor hulp chauffeur buurman buurvrouw reisbureau (?<!\\p{L})onze(?!\\p{L})',
    'サホート サポート ホスト 物件 施設 緊急 オーナー 管理 清掃 フロント 問い合わせ 運営 会社 ホータル ポータル 代理店',
  ].join(' '),
);

/** Whom to call for the guest is not the guest. */
const KIN =
  /(?:emergency|notfall|urgence|emergencia|emergenza|nood)\p{L}* ?(?:contact|kontakt|contatto)\p{L}*(?: \p{L}+){0,3}$/u;

/** Blanks of all kinds, dots, brackets, slashes and dashes between digits. */
const GAP = String.raw`[\p{Zs}.()\[\]/\p{Pd}\u2212]`;
const numberForm = atFirstUse(
  () => new RegExp(String.raw`(?<![\p{L}\p{N}])\+?[(\[]?\d(?:${GAP}{0,3}\d){3,18}(?!\d)`, 'gu'),
);
const MASKED = /[*x•·#●○]{2,}[\p{Zs}\p{Pd}*x•·#●○]*(\d{4})(?!\d)/giu;
const lastFourForm = atFirstUse(
  () =>
    new RegExp(
      [
        String.raw`(?:last|final)\s*(?:4|four)\s*(?:digits|numbers|of)`,
        String.raw`letzten?\s*(?:4|vier)\s*(?:ziffern|stellen|zahlen)`,
        String.raw`(?:4|quatre)\s*derniers\s*chiffres`,
        String.raw`(?:ultim[oa]s\s*(?:4|cuatro)|(?:4|cuatro)\s*ultim[oa]s)\s*(?:digitos|numeros|cifras)`,
        String.raw`(?:ultime\s*(?:4|quattro)|(?:4|quattro)\s*ultime)\s*cifre`,
        String.raw`laatste\s*(?:4|vier)\s*cijfers`,
        String.raw`(?:下|末尾|最後の)\s*(?:4|四)\s*(?:桁|けた)`,
      ].join('|'),
      'u',
    ),
);
/** The end of a phone, where a word for phones stands beside it. */
const ENDING =
  /(?:last|ending|ends|endet|endend|letzten?|derniers|finissant|finit|ultim[oa]s|termina|terminado|ultime|finisce|laatste|eindigt|eindigend|末尾|下)\s*(?:in|with|auf|mit|en|par|con|op|4|four|vier|quatre|cuatro|quattro|四|桁)?$/u;
/** Digits of nobody, where a program has to write some. */
const MADE_UP = /(\d)\1{6}$/u;
const DATED = /(?<![\d/.-])(?:(?:19|20)\d\d-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d)(?![\d/.-])/gu;
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?![-./]?\d)/u;

/** The number of the guest: the one that is said to be, else the first that is nobody else's. Null: there is none. */
export function guestDigits(text: string): string | null {
  // A date behind a number is no part of it.
  const lines = text.normalize('NFKC').replaceAll(DATED, ';').split('\n');
  const found = lines.flatMap((line, index) => numbersIn(line, headingBefore(lines, index)));
  return found.toSorted((a, b) => a.rank - b.rank)[0]?.digits ?? null;
}

interface Found {
  readonly digits: string;
  /** The lowest is the most certain. */
  readonly rank: number;
}

function numbersIn(line: string, heading: string): readonly Found[] {
  const found: Found[] = [];
  if (!/\d/u.test(line)) {
    return found;
  }
  let from = 0;
  for (const match of [...line.matchAll(numberForm()), ...line.matchAll(MASKED)].toSorted(
    (a, b) => a.index - b.index,
  )) {
    // Brackets right behind a number belong to it.
    const before = line.slice(from, match.index).replace(/^\p{Zs}*[([][^)\]]*[)\]]/u, '');
    const after = line.slice(match.index + match[0].length);
    const one = judged(match[1] ?? match[0], { before, after, heading, isMasked: match[1] !== undefined });
    if (one !== null) {
      found.push(one);
    }
    // A number that is a date or a count leaves its label to the next one.
    from = one === null && !hasWords(before) ? from : match.index + match[0].length;
  }
  return found;
}

interface Place {
  readonly before: string;
  readonly after: string;
  readonly heading: string;
  readonly isMasked: boolean;
}

function judged(written: string, { before, after, heading, isMasked }: Place): Found | null {
  const label = foldedWords(before);
  const isPhone = nearest(label, phoneWords()) >= 0;
  const digits = withoutCount(written, after).replaceAll(/\D/gu, '');
  if (DATE.test(written) || isOthers(label, foldedWords(heading), foldedWords(ownPart(after)))) {
    return null;
  }
  if (isMasked ? isPhone : digits.length === 4 && saysLastFour(label, isPhone)) {
    return { digits, rank: 0 };
  }
  const isInternational = written.startsWith('+') && digits.length >= 7;
  if (MADE_UP.test(digits) || digits.length < 6 || digits.length > 15 || !(isPhone || isInternational)) {
    return null;
  }
  return { digits, rank: nearest(label, guestWords()) >= 0 ? 1 : isPhone ? 2 : 3 };
}

function saysLastFour(label: string, isPhone: boolean): boolean {
  return lastFourForm().test(label) || (isPhone && ENDING.test(label));
}

/** The nearest word before a number decides; without one the words behind it, and then the heading. */
function isOthers(label: string, heading: string, after: string): boolean {
  if (nearest(label, cardWords()) > nearest(label, phoneWords()) || KIN.test(label)) {
    return true;
  }
  const [others, guest] = [nearest(label, othersWords()), nearest(label, guestWords())];
  if (others >= 0 || guest >= 0) {
    return others > guest;
  }
  const behind = first(after, othersWords());
  if (behind >= 0) {
    const [own, other] = [first(after, guestWords()), first(after, phoneWords())];
    return (own < 0 || own > behind) && (other < 0 || other > behind);
  }
  return (
    nearest(heading, cardWords()) >= 0 || nearest(heading, othersWords()) > nearest(heading, guestWords())
  );
}

/** What stands behind a number, but for the label of the next one. */
function ownPart(after: string): string {
  const [, own] = /^([^\d|;,•]*)[|;,•][^\d]*\+?\d{2}/u.exec(after.slice(0, 80)) ?? [];
  return own ?? after.slice(0, 40);
}

/** A count of guests or nights, or an hour, behind a number is no part of it: "+44 7700 900123 2 guests". */
function withoutCount(whole: string, after: string): string {
  // No number ends with a single digit after a blank.
  const written = whole.replace(/(?<=\d{3}\p{Zs}?\d*)\p{Zs}+\d$/u, '');
  const isCounted = COUNTED.test(folded(after)) || HOUR.test(after);
  const bracketed = written.replace(/\p{Zs}*[([]\p{Zs}*\d{1,2}$/u, '');
  return isCounted ? bracketed.replace(new RegExp(String.raw`${GAP}+\d{1,2}$`, 'u'), '') : bracketed;
}

/** A line without a number above this one, which says whose numbers follow; empty: none. */
function headingBefore(lines: readonly string[], index: number): string {
  for (let at = index - 1; at >= 0; at -= 1) {
    const line = (lines[at] ?? '').trim();
    if (line === '') {
      return '';
    }
    if (!/\d/u.test(line) && line.length <= 60 && (/[:：]$/u.test(line) || !/[:：]/u.test(line))) {
      return line;
    }
  }
  return '';
}

const HOUR = /^(?::\d\d|\p{Zs}?(?:h|am|pm|uhr|uur)(?!\p{L})|[:h.]?\d?\p{Zs}?[€$£¥])/iu;

const COUNTED =
  /^(?:x )?(?:guest|adult|child|kid|infant|pax|pers|people|night|day|pet|dog|room|gast|erw|erwachs|kind|tage|nacht|nachte|voyageur|enfant|nuit|huesped|nino|noche|ospit|bambin|nott|volwass|名|人|泊|大人)/u;

const hasWords = (text: string): boolean => /\p{L}{3}/u.test(text);

const foldedWords = (text: string): string => folded(text.replaceAll('_', ' '));

/** Where the last of these words begins; -1: there is none. */
function nearest(text: string, words: RegExp): number {
  return [...text.matchAll(words)].at(-1)?.index ?? -1;
}

function first(text: string, words: RegExp): number {
  return [...text.matchAll(words)][0]?.index ?? -1;
}
