// Planted: a package that is not for this room.
import Fastify from 'fastify';

export interface Client {
  readonly server: typeof Fastify;
}
