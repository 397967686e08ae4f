// Words that portals, programs and owners write into the titles of entries: blocked nights, inquiries, cancellations, and fillers.
import { atFirstUse } from '../../../support/first-use.ts';

/** Lower case without accents: letters and digits alone, each word after one space. */
export function folded(text: string): string {
  // Most texts are plain, and are folded many times.
  const plain = /^[\x20-\x7e]*$/u.test(text) ? text : text.normalize('NFKD').replaceAll(/\p{M}+/gu, '');
  return plain
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The usual words of a calendar for which a person entered none. */
export const NOT_STAYS: readonly string[] = [
  'Not available',
  'Unavailable',
  'Blocked',
  'Closed',
  'Owner',
  'Owner stay',
  'Maintenance',
];

const BLOCKED: readonly string[] = words(
  ...NOT_STAYS,
  'Host block; Owner block; Owners; Owner hold; Repairs; Repair; Stop sell; Stop sale; Do not book; Do not rent; Calendar block; Manual block; Blocked dates; Private use; Personal use; Own use; Renovation; Renovations; Refurbishment; Seasonal closure; Not bookable; No availability; Out of order; Out of service',
  'Nicht verfügbar; Nicht buchbar; Gesperrt; Sperrzeit; Blockiert; Blockierung; Geschlossen; Eigentümer; Eigennutzung; Eigenbelegung; Eigenbedarf; Eigentümerbelegung; Selbstnutzung; Privatnutzung; Wartung; Renovierung; Reparatur; Reparaturen; Instandhaltung; Betriebsferien; Nicht vermietbar; Nicht zu vermieten; Sperrung',
  'Non disponible; Indisponible; Pas disponible; Bloqué; Bloquée; Fermé; Fermée; Fermeture; Propriétaire; Usage personnel; Usage privé; Entretien; Travaux; Réparation; Réparations; Indisponibilité; Dates bloquées',
  'No disponible; Bloqueado; Bloqueada; Bloqueo; Cerrado; Cerrada; Cierre; Propietario; Propietaria; Propietarios; Uso propio; Uso personal; Uso privado; Mantenimiento; Obras; Reparación; Reparaciones; Fechas bloqueadas; No se alquila',
  'Non disponibile; Bloccato; Bloccata; Blocco; Chiuso; Chiusa; Chiusura; Proprietario; Proprietaria; Proprietari; Uso personale; Uso proprio; Uso privato; Manutenzione; Lavori; Riparazione; Riparazioni; Ristrutturazione; Date bloccate',
  'Niet beschikbaar; Niet boekbaar; Geblokkeerd; Gesloten; Eigenaar; Eigenaren; Eigen gebruik; Eigen verblijf; Privégebruik; Onderhoud; Buiten gebruik; Reparatie; Renovatie; Verbouwing; Niet te boeken; Niet te huur',
  '予約不可; 利用不可; 予約できません; 空きなし; ブロック; ブロック済み; クローズ; 閉鎖; 休業; 休館; オーナー; オーナー利用; オーナー滞在; 自己利用; メンテナンス; 売止; 手仕舞い; 予約停止; 販売停止; 受付停止; 修繕; 工事; 改装中; 自社利用; 自家利用; 定休日',
);

/** These are names of guests, too, or wishes of theirs: they count alone, or before a sign. */
const BLOCKED_ALONE: readonly string[] = words(
  'Block; Cleaning; Cleaning day; Deep cleaning; Deep clean; Housekeeping; Turnover; Turnover day; Preparation time; Prep time; Prep day; Buffer; Buffer day',
  'Reinigung; Endreinigung; Reinigungstag; Putzen; Sperre',
  'Ménage; Nettoyage; Ménage fin de séjour',
  'Limpieza; Limpieza final',
  'Pulizia; Pulizie; Pulizie finali',
  'Schoonmaak; Eindschoonmaak',
  '清掃; 清掃日; 休み; お休み; 点検; 満室',
);

/** An entry is not confirmed when one of these begins or ends its title, or stands between two signs of it. */
const UNCONFIRMED: readonly string[] = words(
  'Pending; Tentative; Unconfirmed; Not confirmed; On hold; Inquiry; Enquiry; Provisional; Awaiting confirmation; Awaiting payment; Prebooking; Pre booking; Booking request; Reservation request; Request to book; TBC; To be confirmed; Waiting for payment; Waiting for confirmation; Provisional booking; Tentative booking; On option; Awaiting deposit; Deposit pending; Payment pending; Temporary hold; Soft hold; Courtesy hold; Inquiry hold; Waitlist; Waitlisted; Waiting list; Pre approved; Pre approval; Draft booking; Not yet confirmed; Not confirmed yet; Held for; Held until; Request from',
  'Anfrage; Angefragt; Unbestätigt; Nicht bestätigt; Vorläufig; Vorgemerkt; Vormerkung; Vorreservierung; Vorreserviert; Ausstehend; Buchungsanfrage; In Bearbeitung; Vorläufige Buchung; Vorläufige Reservierung; Auf Option; Unverbindliche Anfrage; Optionsbuchung; Warteliste; Provisorisch; Anzahlung ausstehend; Offene Anfrage',
  'En attente; Provisoire; Non confirmé; Non confirmée; Pas confirmé; Préréservation; Pré réservation; Demande de réservation; À confirmer; Réservation provisoire; En option; Demande en cours; Demande d’information; Liste d’attente; Acompte en attente',
  'Pendiente; Provisional; Sin confirmar; No confirmado; No confirmada; Prerreserva; Prereserva; Pre reserva; Reserva provisional; En espera; En opción; Solicitud de reserva; Por confirmar; Solicitud de; Consulta de; Lista de espera',
  'In attesa; In sospeso; Provvisorio; Provvisoria; Non confermato; Non confermata; Da confermare; Preprenotazione; Richiesta di prenotazione; Prenotazione provvisoria; In opzione; Richiesta di; Lista d’attesa',
  'In afwachting; In behandeling; Voorlopig; Onbevestigd; Niet bevestigd; Boekingsaanvraag; Reserveringsaanvraag; Te bevestigen; Voorlopige boeking; Voorlopige reservering; In optie; Nog te bevestigen; In aanvraag; Onder voorbehoud; Wachtlijst; Wacht op betaling; Wacht op bevestiging',
  '仮予約; 仮押さえ; 保留; 保留中; 未確認; 未確定; 確認待ち; 承認待ち; 支払い待ち; 申請中; 問い合わせ; お問い合わせ; 問合せ; 予約リクエスト; リクエスト中; 予約申込; 要確認; 見積依頼; キャンセル待ち',
);

/** These words also stand in other titles ("late check-in on request"): they count at the beginning, or between two signs. */
const UNCONFIRMED_ALONE: readonly string[] = words(
  'Hold; Held; Option; Optional; Request; Requested; Quote; Quoted',
  'Option; Optional; Reserviert bis; Angebot; Wunsch',
  'Option; Demande; Devis; Réservation demandée',
  'Opción; Opcional; Solicitud; Solicitado; Consulta; Presupuesto',
  'Opzione; Opzionata; Opzionato; Richiesta; Richiesto; Preventivo',
  'Optie; Aanvraag; Verzoek; Offerte',
  'オプション; リクエスト; 申込; 見積; 見積もり',
);

/** The same, also before a name without a sign between. */
const UNCONFIRMED_FIRST: readonly string[] = words(
  'Hold; Option; Quote; Angebot; Opción; Presupuesto; Opzione; Preventivo; Richiesta; Optie; Offerte; Aanvraag',
);

/** "Held, Anna" is a person. */
const SURNAME = /^(?:Held|Wunsch), (?=\p{Lu})/u;

/** "Option until 3 May". */
const UNTIL: ReadonlySet<string> = new Set(['until', 'till', 'bis', 'jusqu', 'hasta', 'fino', 'tot']);

/** An entry is cancelled when one of these begins or ends its title, or stands between two signs of it. */
const CANCELLED: readonly string[] = words(
  'Cancelled; Canceled; CXL; CXLD; Storniert; Stornierte Buchung; Stornierte Reservierung; Storno; Abgesagt; Annulliert; Annulé; Annulée; Cancelado; Cancelada; Anulado; Anulada; Annullato; Annullata; Cancellato; Cancellata; Geannuleerd; キャンセル; キャンセル済み; 取消; 取消済み',
);
/** These stand in "free cancellation", too. */
const CANCELLED_ALONE: readonly string[] = words(
  'Cancellation; Stornierung; Annulation; Cancelación; Anulación; Cancellazione; Annullamento; Annulering',
);
const NOT: ReadonlySet<string> = new Set(['not', 'nicht', 'pas', 'non', 'no', 'niet']);

/** "Storniert am 3.5.": what stands behind one of these says when or why. */
const BECAUSE: ReadonlySet<string> = new Set(
  words('on; by; due; because; am; wg; wegen; durch; vom; le; par; el; por; il; da; op; door; wegens'),
);

/** Portals and programs, whose names stand in titles as the names of guests do. */
const PORTALS: readonly string[] = words(
  'Airbnb; Vrbo; HomeAway; Abritel; FeWo direkt; Fewodirekt; Expedia; Agoda; Tripadvisor; Holidu; HomeToGo; Novasol; Interhome; Guesty; Smoobu; Lodgify; Hostaway; Beds24; OwnerRez; Hospitable; Uplisting; Hostfully',
);

/** What may stand before the word that counts: "Reservation cancelled - Anna". */
const wordsBefore = atFirstUse(
  (): ReadonlySet<string> =>
    new Set([
      ...words(
        'the; reservation; booking; buchung; reservierung; buchungs; reserva; prenotazione; reservering; boeking',
      ),
      ...PORTALS.map(folded),
    ]),
);

/** A short entry beside a stay, whose title begins or ends with one of these, marks its arrival or its departure. */
const ARRIVALS: readonly string[] = words(
  'Check in; Checkin; Arrival; Arriving; Arrives; Anreise; Ankunft; Arrivée; Llegada; Entrada; Arrivo; Aankomst; Inchecken; チェックイン; 到着',
);
const DEPARTURES: readonly string[] = words(
  'Check out; Checkout; Departure; Departing; Departs; Abreise; Départ; Salida; Partenza; Vertrek; Uitchecken; チェックアウト; 出発',
);

/** Words of titles that name nobody. */
const noNames = atFirstUse(
  (): ReadonlySet<string> =>
    new Set(
      words(
        ...PORTALS,
        'reserved; reservation; booked; booking; bookings; stay; stays; guest; guests; closed; not; available; unavailable; blocked; confirmed; new; night; nights; adult; adults; child; children; kids; infants; pax; person; persons; people; and; the; of; for; with; from; via; by; at; in; to; com; net; app; online; direct; website; channel; portal; check; checkin; checkout; arrival; departure; checked; out; early; late; paid; unpaid; deposit; mr; mrs; ms; dr; family; room; apartment; flat; house; home; villa; studio; unit; suite; currently; hosting; status; id; no; nr; res; ref; code; busy; occupied; taken; rental; rented; tenant; renter; vacation; holiday; trip; eur; usd; gbp; chf',
        'reserviert; reservierung; gebucht; buchung; aufenthalt; gast; gaste; belegt; nacht; nachte; erwachsene; kind; kinder; personen; und; mit; von; bestatigt; neu; anreise; abreise; frau; herr; familie; zimmer; wohnung; ferienwohnung; haus; besetzt; vermietet; mieter; urlaub; feriengast',
        'reserve; reservee; sejour; voyageur; voyageurs; invite; invites; nuit; nuits; adulte; adultes; enfant; enfants; personnes; et; avec; de; du; la; le; confirme; confirmee; nouvelle; arrivee; depart; monsieur; madame; famille; chambre; appartement; maison; client; occupe; occupee; loue; louee; location; locataire; vacances',
        'reservado; reservada; reserva; estancia; huesped; huespedes; noche; noches; adulto; adultos; nino; ninos; personas; con; confirmado; confirmada; nueva; llegada; salida; senor; senora; familia; habitacion; apartamento; casa; cliente; ocupado; ocupada; alquilado; alquilada; alquiler; inquilino; vacaciones',
        'prenotato; prenotata; prenotazione; soggiorno; ospite; ospiti; notte; notti; adulti; bambini; persone; e; confermato; confermata; nuova; arrivo; partenza; signor; signora; famiglia; camera; appartamento; occupato; occupata; affittato; affittata; affitto; vacanza',
        'gereserveerd; reservering; geboekt; boeking; verblijf; gasten; nachten; volwassenen; kinderen; en; met; van; bevestigd; nieuw; aankomst; vertrek; heer; mevrouw; kamer; appartement; huis; bezet; verhuurd; huurder; vakantie',
        '予約; 予約済み; 予約済; 宿泊; ゲスト; お客様; 様; 泊; 名; 確定; 新規; 到着; 出発; チェックイン; チェックアウト',
      ).flatMap((word) => folded(word).split(' ')),
    ),
);

/** Finds the words by which a title marks nights without a guest; none: it is a stay. `own`: the words of the calendar. */
export function blockedMarksOf(own: readonly string[]): (title: string) => readonly string[] {
  const isUsual = own.length === NOT_STAYS.length && own.every((word) => NOT_STAYS.includes(word));
  const anywhere = isUsual ? marks().blocked : foldedAll(own);
  const alone = isUsual ? marks().blockedAlone : [];
  return (title) => {
    const text = folded(title);
    const [first] = title.split(/[:(|/]|\s[-–—]\s/u, 1).map(folded);
    return [
      ...anywhere.filter((mark) => begins(text, mark) || ends(text, mark)),
      ...alone.filter((mark) => mark === first),
    ];
  };
}

export function isUnconfirmed(title: string): boolean {
  const text = folded(title);
  const bare = withoutBefore(text);
  const parts = partsOf(title.replace(SURNAME, ''));
  const isTimed = (mark: string): boolean =>
    parts.some((part) => begins(part, mark) && UNTIL.has(part.slice(mark.length + 1).split(' ')[0] ?? ''));
  return (
    marks().unconfirmed.some(
      (mark) => begins(text, mark) || begins(bare, mark) || ends(text, mark) || parts.includes(mark),
    ) ||
    marks().alone.some((mark) => parts.includes(mark) || isTimed(mark)) ||
    marks().first.some((mark) => begins(bare, mark))
  );
}

export function isCancelledTitle(title: string): boolean {
  const text = folded(title);
  const parts = partsOf(title);
  const isLast = (mark: string): boolean =>
    ends(text, mark) && !NOT.has(text.slice(0, -mark.length).trim().split(' ').at(-1) ?? '');
  const bare = withoutBefore(text);
  return (
    marks().cancelled.some(
      (mark) =>
        begins(text, mark) ||
        begins(bare, mark) ||
        isLast(mark) ||
        parts.includes(mark) ||
        isDated(text, mark),
    ) || marks().cancelledAlone.some((mark) => parts.includes(mark))
  );
}

/** "Anna storniert am 3.5.": the word stands within the title, and what follows says when or why. */
function isDated(text: string, mark: string): boolean {
  const [before = '', after = ''] = ` ${text} `.split(` ${mark} `);
  const next = after.split(' ')[0] ?? '';
  return (/^\d/u.test(next) || BECAUSE.has(next)) && !NOT.has(before.split(' ').at(-1) ?? '');
}

function withoutBefore(text: string): string {
  const all = text.replace(/^予約/u, '予約 ').split(' ');
  const at = all.findIndex((word) => !wordsBefore().has(word) && word !== '予約');
  return at <= 0 ? text : all.slice(at).join(' ');
}

/** What stands between two signs of a title. */
function partsOf(title: string): readonly string[] {
  return title.split(/[^\p{L}\p{M}\p{N}\s'’]+|\s[-–—]\s/u).map(folded);
}

/** Which end of a stay the title names; null: none, or both. */
export function endNamedBy(title: string): 'arrival' | 'departure' | null {
  const text = folded(title);
  const has = (list: readonly string[]): boolean =>
    list.some((mark) => begins(text, mark) || ends(text, mark));
  const [arrives, departs] = [has(marks().arrivals), has(marks().departures)];
  return arrives === departs ? null : arrives ? 'arrival' : 'departure';
}

/** The words of a name, in their order; null where the text names nobody. */
export function nameWords(text: string): string | null {
  const named = folded(text)
    .split(' ')
    .filter((word) => !/\p{N}/u.test(word) && !noNames().has(word))
    .map(withoutHonorific)
    .filter((word) => word !== '');
  return named.length === 0 ? null : named.join(' ');
}

/** "山田様" is "山田". */
export const withoutHonorific = (word: string): string => word.replace(/(?<=.)(?:様|さま|さん|殿|氏)$/u, '');

function words(...lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => list.split('; '));
}

function foldedAll(list: readonly string[]): readonly string[] {
  return [...new Set(list.map(folded))].filter((word) => word !== '');
}

const marks = atFirstUse(() => ({
  blocked: foldedAll(BLOCKED),
  unconfirmed: foldedAll(UNCONFIRMED),
  blockedAlone: foldedAll(BLOCKED_ALONE),
  alone: foldedAll(UNCONFIRMED_ALONE),
  first: foldedAll(UNCONFIRMED_FIRST),
  cancelled: foldedAll(CANCELLED),
  cancelledAlone: foldedAll(CANCELLED_ALONE),
  arrivals: foldedAll(ARRIVALS),
  departures: foldedAll(DEPARTURES),
}));

/** These scripts have no spaces between words. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function begins(text: string, mark: string): boolean {
  return text.startsWith(mark) && isEdge(text[mark.length], mark);
}

function ends(text: string, mark: string): boolean {
  return text.endsWith(mark) && isEdge(text[text.length - mark.length - 1], mark);
}

const isEdge = (beside: string | undefined, mark: string): boolean =>
  beside === undefined || beside === ' ' || SPACELESS.test(mark);
