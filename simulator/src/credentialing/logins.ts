// Users of the credentialing interface and their bearer tokens.
import { z } from 'zod';
import { CredentialingRefusal } from './refusal.ts';

const word = z.string().min(1);

/** A caller of the credentialing interface. It belongs to one partner client and works with that client's keys only. */
export const credentialingUserSchema = z.strictObject({
  clientId: word,
  username: word,
  password: word,
  /** Manager and Operator may log in but do nothing else (wire contract 8). */
  role: z.enum(['Administrator', 'Manager', 'Operator']),
  /** Whether issue codes 1 to 63 are granted. */
  mayIssueRestricted: z.boolean(),
});
export type CredentialingUser = Readonly<z.infer<typeof credentialingUserSchema>>;

/** Lifetime of a token, seconds (wire contract 8). */
export const TOKEN_LIFETIME_SECONDS = 3600;

/** Identifies users by their password and then by their token. Instants are epoch milliseconds. */
export class Logins {
  readonly #users: readonly CredentialingUser[];
  readonly #newToken: () => string;
  readonly #tokens = new Map<string, { readonly user: CredentialingUser; readonly expiresAt: number }>();

  constructor(users: readonly CredentialingUser[], newToken: () => string) {
    this.#users = users;
    this.#newToken = newToken;
  }

  /** Issues a token; a bad pair, or a pair of another client, is a 401 refusal. Older tokens stay valid. */
  logIn(
    clientId: string,
    pair: { readonly username: string; readonly password: string },
    now: number,
  ): string {
    const user = this.#users.find(
      (candidate) =>
        candidate.clientId === clientId &&
        candidate.username === pair.username &&
        candidate.password === pair.password,
    );
    if (user === undefined) {
      throw new CredentialingRefusal(401, 'The username or password is wrong.');
    }
    this.#dropExpired(now);
    const token = this.#newToken();
    this.#tokens.set(token, { user, expiresAt: now + TOKEN_LIFETIME_SECONDS * 1000 });
    return token;
  }

  /** The user behind a token, or undefined when it is unknown, expired or of another client. */
  userOf(clientId: string, token: string, now: number): CredentialingUser | undefined {
    const issued = this.#tokens.get(token);
    return issued !== undefined && issued.expiresAt > now && issued.user.clientId === clientId
      ? issued.user
      : undefined;
  }

  endAll(): void {
    this.#tokens.clear();
  }

  #dropExpired(now: number): void {
    for (const [token, { expiresAt }] of this.#tokens) {
      if (expiresAt <= now) {
        this.#tokens.delete(token);
      }
    }
  }
}
