// The used parts of the packages for NATS: the build joins them into one file, which only a home or relay with NATS loads.
export { JetStreamApiError, jetstream, jetstreamManager } from '@nats-io/jetstream';
export { encodeAccount, encodeOperator, encodeUser, fmtCreds, newScopedSigner } from '@nats-io/jwt';
export { createAccount, createOperator, createUser } from '@nats-io/nkeys';
export { connect, headers } from '@nats-io/transport-node';
export { fromSeed, jwtAuthenticator } from './node-keys.ts';
