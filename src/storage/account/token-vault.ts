// Stores the link's state and tokens in one row, on the disk before first use.
import { createHash } from 'node:crypto';
import { LINK_STATES, type LinkState } from '../../domain/account/account.ts';
import type { StoredLink, TokenPair, TokenVault } from '../../domain/ports.ts';
import { integer, integerOrNull, text, textOrNull, word } from '../database/columns.ts';
import type { Connection, Row } from '../database/connection.ts';

/** Size of a write probe, in bytes: more than any pair of tokens seen (JWTs of 2 kB each), on pages of 4 KiB. */
const BALLAST_BYTES = 16 * 1024;

export class SqliteTokenVault implements TokenVault {
  readonly #connection: Connection<'full'>;
  readonly #service: string | null;

  /**
   * `service` identifies the service of new links: a link of another service
   * reads as none and stays until it is overwritten. Null reads every link.
   */
  constructor(connection: Connection<'full'>, service: string | null) {
    this.#connection = connection;
    this.#service = service;
  }

  read(): StoredLink {
    const row = this.#row();
    const generation = integer(row, 'generation');
    if (this.#isOfAnother(row)) {
      return { state: 'unlinked', tokens: null, generation, interrupted: false };
    }
    const tokens = tokensOf(row);
    const interrupted = tokens !== null && this.#spending() === digestOf(tokens.refreshToken);
    return { state: word(row, 'state', LINK_STATES), tokens, generation, interrupted };
  }

  holdsAnothers(): boolean {
    const row = this.#row();
    return this.#isOfAnother(row) && row['state'] === 'linked' && tokensOf(row) !== null;
  }

  beginRenewal(refreshToken: string): void {
    // Random bytes, because SQLite does not write unchanged pages.
    this.#connection.run(
      `INSERT INTO write_probe (id, counter, ballast, spending) VALUES (1, 1, randomblob(?), ?)
       ON CONFLICT DO UPDATE SET counter = counter + 1, ballast = excluded.ballast, spending = excluded.spending`,
      BALLAST_BYTES,
      digestOf(refreshToken),
    );
  }

  endRenewal(): void {
    this.#connection.run('UPDATE write_probe SET spending = NULL');
  }

  write(state: LinkState, tokens: TokenPair | null, over?: number): number | null {
    return this.#connection.transaction(() => {
      const { changed } = this.#connection.run(
        `UPDATE link SET state = ?, access_token = ?, refresh_token = ?, received_at = ?, expires_in_ms = ?,
           issued_at = ?, service = ?, generation = generation + 1
         WHERE generation = ifnull(?, generation)`,
        state,
        tokens?.accessToken ?? null,
        tokens?.refreshToken ?? null,
        tokens === null ? null : Math.round(tokens.receivedAt),
        tokens === null ? null : Math.round(tokens.expiresInMs),
        tokens === null || tokens.issuedAt === null ? null : Math.round(tokens.issuedAt),
        this.#service,
        over ?? null,
      );
      if (changed === 0) {
        return null;
      }
      this.endRenewal();
      return integer(this.#connection.first('SELECT generation FROM link') ?? {}, 'generation');
    });
  }

  #spending(): string | null {
    const row = this.#connection.first('SELECT spending FROM write_probe');
    return row === null ? null : textOrNull(row, 'spending');
  }

  #row(): Row {
    return this.#connection.first('SELECT * FROM link') ?? {};
  }

  /** A link without a recorded service counts as one of the current service. */
  #isOfAnother(row: Row): boolean {
    const service = textOrNull(row, 'service');
    return service !== null && this.#service !== null && service !== this.#service;
  }
}

/** A digest that is enough to recognise the token; the token itself stands in the link alone. */
function digestOf(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('base64url');
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
        issuedAt: integerOrNull(row, 'issued_at'),
      };
}
