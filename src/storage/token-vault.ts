// The link's state and tokens: one row, on the disk before anyone uses what it holds.
import type { LinkState } from '../domain/account.ts';
import type { StoredLink, TokenPair, TokenVault } from '../domain/ports.ts';
import { integer, text, textOrNull, word } from './columns.ts';
import type { Connection, Row } from './connection.ts';

const LINK_STATES: readonly LinkState[] = ['unlinked', 'linked', 'revoked', 'expired', 'signed-out'];

/** Bytes that a rehearsal writes: more than any pair of tokens seen (JWTs of 2 kB each), on pages of 4 KiB. */
const BALLAST_BYTES = 16 * 1024;

export class SqliteTokenVault implements TokenVault {
  readonly #connection: Connection;

  /** `connection` must be of full durability. */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  read(): StoredLink {
    const row = this.#connection.first('SELECT * FROM link') ?? {};
    return {
      state: word(row, 'state', LINK_STATES),
      tokens: tokensOf(row),
      generation: integer(row, 'generation'),
    };
  }

  rehearse(): void {
    // Random bytes, because SQLite leaves pages alone that would not change.
    this.#connection.run(
      `INSERT INTO rehearsal (id, counter, ballast) VALUES (1, 1, randomblob(?))
       ON CONFLICT DO UPDATE SET counter = counter + 1, ballast = excluded.ballast`,
      BALLAST_BYTES,
    );
  }

  write(state: LinkState, tokens: TokenPair | null, over?: number): number | null {
    return this.#connection.transaction(() => {
      const { changed } = this.#connection.run(
        `UPDATE link SET state = ?, access_token = ?, refresh_token = ?, received_at = ?, expires_in_ms = ?,
           generation = generation + 1
         WHERE generation = ifnull(?, generation)`,
        state,
        tokens?.accessToken ?? null,
        tokens?.refreshToken ?? null,
        tokens === null ? null : Math.round(tokens.receivedAt),
        tokens === null ? null : Math.round(tokens.expiresInMs),
        over ?? null,
      );
      if (changed === 0) {
        return null;
      }
      return integer(this.#connection.first('SELECT generation FROM link') ?? {}, 'generation');
    });
  }
}

function tokensOf(row: Row): TokenPair | null {
  const accessToken = textOrNull(row, 'access_token');
  return accessToken === null
    ? null
    : {
        accessToken,
        refreshToken: text(row, 'refresh_token'),
        receivedAt: integer(row, 'received_at'),
        expiresInMs: integer(row, 'expires_in_ms'),
      };
}
