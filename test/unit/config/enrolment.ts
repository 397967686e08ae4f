// An enrolment of a home at a relay, with every member.
import type { RelayEnrolment } from '../../../src/config/options/relay-enrolment.ts';

export const ENROLMENT: RelayEnrolment = {
  home: 'blue',
  url: 'https://relay.example/h/blue/token',
  broker: 'mqtts://broker.example:8883',
  username: 'blue',
  password: 'a-password-that-is-long',
  topic: 'latchkey/homes/blue/events',
  key: { x: 'x'.repeat(43), d: 'd'.repeat(43) },
};
