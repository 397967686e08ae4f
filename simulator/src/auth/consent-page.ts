// The pages that a person meets while linking: the question of consent, and the one that explains why there is none.
import { createHash } from 'node:crypto';

/** A user of the service, as the consent page shows them. */
export interface ResourceOwner {
  readonly id: string;
  readonly displayName: string;
  readonly locks: readonly { readonly name: string; readonly role: string }[];
}

/** A page and the policy it is served under. */
export interface Page {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** The number of locks that a page names: a longer list would tell no more. */
const MOST_LOCKS_NAMED = 12;

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 1rem; display: grid; justify-items: center; }
main { width: 100%; max-width: 28rem; }
h1 { font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere; }
fieldset { border: 1px solid GrayText; border-radius: .75rem; padding: .5rem 1rem 1rem; margin: 0 0 1rem; }
legend { font-weight: 600; padding: 0 .5rem; }
label { display: flex; gap: .75rem; align-items: start; min-height: 2.75rem; padding: .5rem 0; cursor: pointer; }
input { width: 1.25rem; height: 1.25rem; flex: none; margin: .15rem 0 0; }
.locks { display: block; color: light-dark(#54595f, #adb3ba); overflow-wrap: anywhere; }
.answers { display: flex; gap: .75rem; }
button { flex: 1; min-height: 2.75rem; font: inherit; border-radius: .75rem; border: 1px solid; background: Canvas; color: CanvasText; cursor: pointer; }
button.allow { background: #0b57d0; border-color: #0b57d0; color: #fff; }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
`;

const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** Asks for the user and for consent to use their locks. The answer goes to `action` as a form. */
export function consentPage(question: {
  readonly clientName: string;
  readonly owners: readonly ResourceOwner[];
  readonly action: string;
  /** Names the waiting request, and shows that the answer comes from this page. */
  readonly ticket: string;
  /** Where the browser is sent afterwards: browsers hold a form's redirect against `form-action` as well. */
  readonly redirectUri: string;
}): Page {
  const name = escapeHtml(question.clientName);
  const choices = question.owners.map((owner, index) => ownerChoice(owner, index === 0)).join('');
  const body = `<h1>Allow ${name} to use your locks?</h1>
<p>${name} will see your locks and their history, lock and unlock them where your role allows it, and manage the access codes of locks you own. You can end this at any time.</p>
<form method="post" action="${escapeHtml(question.action)}">
<input type="hidden" name="ticket" value="${escapeHtml(question.ticket)}">
<fieldset><legend>Signed in as</legend>${choices}</fieldset>
<div class="answers"><button name="answer" value="deny">Deny</button><button class="allow" name="answer" value="allow">Allow</button></div>
</form>`;
  return page(`Allow ${question.clientName}?`, body, `'self' ${formTarget(question.redirectUri)}`);
}

/** Explains why linking cannot go on. The page does not redirect, because the address to go back to cannot be trusted. */
export function linkingFaultPage(fault: string): Page {
  const body = `<h1>This link cannot be opened</h1>
<p>${escapeHtml(fault)}</p>
<p>Nothing was shared. Go back to the application and start again, or tell its maker.</p>`;
  return page('This link cannot be opened', body, "'none'");
}

function ownerChoice(owner: ResourceOwner, checked: boolean): string {
  const named = owner.locks.slice(0, MOST_LOCKS_NAMED).map((lock) => `${lock.name} (${lock.role})`);
  const others = owner.locks.length - named.length;
  const locks = [...named, ...(others > 0 ? [`${String(others)} more`] : [])].join(', ');
  return `<label><input type="radio" name="user" value="${escapeHtml(owner.id)}" required${checked ? ' checked' : ''}>
<span>${escapeHtml(owner.displayName)}<span class="locks">${escapeHtml(locks === '' ? 'No locks' : locks)}</span></span></label>`;
}

function page(title: string, body: string, formAction: string): Page {
  return {
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main>${body}</main></body></html>
`,
    contentSecurityPolicy: `default-src 'none'; style-src ${STYLE_HASH}; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
  };
}

/** The origin of an http(s) address, or the scheme of an application's own one such as `app.example:/linked`. */
function formTarget(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === 'null' ? protocol : origin;
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => HTML_ENTITIES[character] ?? '');
}
