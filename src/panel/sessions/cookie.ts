// Writes the session cookie for our own pages alone, and parses it strictly.
import { LONGEST_SESSION_MS } from './store.ts';

/** The form of the session store's ids: 256 bits in base64url. */
const ID = /^[\w-]{43}$/u;

/**
 * Cookies do not know ports, and every account has a panel of its own: the port is in the name.
 */
function cookieName(port: number): string {
  return `latchkey-${port}`;
}

/** `id` null: takes the cookie away. `isSecure`: the browser speaks https; over http it would not keep such a cookie. */
export function sessionCookie(port: number, id: string | null, isSecure: boolean): string {
  const age = id === null ? 0 : LONGEST_SESSION_MS / 1_000;
  const secure = isSecure ? '; Secure' : '';
  return `${cookieName(port)}=${id ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}

/** The id that a Cookie header holds; null when it holds none, a malformed one, or several. */
export function sessionIdIn(header: string | undefined, port: number): string | null {
  const start = `${cookieName(port)}=`;
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
  const [id = ''] = values;
  return values.length === 1 && ID.test(id) ? id : null;
}
