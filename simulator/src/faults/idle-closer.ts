// Closes connections while they are idle, as servers do just when a client means to use one again.
import type { Socket } from 'node:net';
import type { Clock } from '../../../src/support/clock.ts';

export class IdleCloser {
  readonly #clock: Clock;
  readonly #callsOn = new WeakMap<Socket, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A call came in on this connection. */
  began(socket: Socket): void {
    this.#callsOn.set(socket, (this.#callsOn.get(socket) ?? 0) + 1);
  }

  /** A call on this connection was answered, or came to nothing. */
  ended(socket: Socket): void {
    this.#callsOn.set(socket, (this.#callsOn.get(socket) ?? 0) - 1);
  }

  /** Closes the connection after this many milliseconds, unless it is in use then. */
  closeAfter(socket: Socket, delayMs: number): void {
    const cancel = this.#clock.after(delayMs, () => {
      socket.off('close', cancel);
      if ((this.#callsOn.get(socket) ?? 0) === 0) {
        socket.destroy();
      }
    });
    socket.once('close', cancel);
  }
}
