// Planted: a forbidden room, by a type alone.
import type { Client } from '../cloud/client.ts';

export type Answer = Client;
